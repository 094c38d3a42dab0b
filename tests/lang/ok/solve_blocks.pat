// Unknowns that are structs of two, three and four fields: equations of constructors, of functions and of operators on
// structs; systems along the last axis, the first and one between; boundaries, guards; zero pivots, loops, layouts.
struct Two { u, v: f32 }
struct Mat2 { a, b, c, d: f32 }
struct Three { x, y, z: f64 }
struct Mat3 { m: f64[3, 3] }
struct Four { p, q, r, s: f32 }
struct Couple { e, h: f64 }
fn times2(m: Mat2, x: Two) -> Two = Two(m.a * x.u + m.b * x.v, m.c * x.u + m.d * x.v);
fn scaled2(f: f32, x: Two) -> Two = Two(f * x.u, f * x.v);
op plus2(a: Two, b: Two) -> Two = Two(a.u + b.u, a.v + b.v) identity Two(0, 0), commutative;
// greater than the rows of a and c together
fn strong2(a: Mat2, c: Mat2) -> Mat2 = Mat2(1 + abs(a.a) + abs(a.b) + abs(c.a) + abs(c.b), 0.5, -0.5,
	1 + abs(a.c) + abs(a.d) + abs(c.c) + abs(c.d));
fn sizes3(m: Mat3) -> Three = Three(abs(m.m[0, 0]) + abs(m.m[0, 1]) + abs(m.m[0, 2]),
	abs(m.m[1, 0]) + abs(m.m[1, 1]) + abs(m.m[1, 2]), abs(m.m[2, 0]) + abs(m.m[2, 1]) + abs(m.m[2, 2]));
fn times3(m: Mat3, v: Three) -> Three = Three(m.m[0, 0] * v.x + m.m[0, 1] * v.y + m.m[0, 2] * v.z,
	m.m[1, 0] * v.x + m.m[1, 1] * v.y + m.m[1, 2] * v.z, m.m[2, 0] * v.x + m.m[2, 1] * v.y + m.m[2, 2] * v.z);
fn sum3(a: Three, b: Three, c: Three) -> Three = Three(a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z);
fn mixed4(f: f32, x: Four) -> Four = Four(f * x.p + x.q, f * x.q - x.p, f * x.r + x.s, f * x.s - x.r);
fn sum4(a: Four, b: Four) -> Four = Four(a.p + b.p, a.q + b.q, a.r + b.r, a.s + b.s);
kernel blocks_rows(a: Mat2[m, n], c: Mat2[m, n], d: Two[m, n], out x: Two[m, n]) {
	solve x[s, i] in plus2(plus2(times2(a[s, i], x[s, i-1]), times2(strong2(a[s, i], c[s, i]), x[s, i])),
		times2(c[s, i], x[s, i+1])) = d[s, i] boundary (Two(0, 0));
}
kernel blocks_columns(a: Mat3[n, m], c: Mat3[n, m], d: Three[n, m], out x: Three[n, m]) {
	solve x[i, s] in sum3(times3(a[i, s], x[i-1, s]),
		Three((1 + sizes3(a[i, s]).x + sizes3(c[i, s]).x) * x[i, s].x + 0.25 * (x[i, s].y - x[i, s].z),
			(1 + sizes3(a[i, s]).y + sizes3(c[i, s]).y) * x[i, s].y - 0.5 * x[i, s].z,
			(1 + sizes3(a[i, s]).z + sizes3(c[i, s]).z) * x[i, s].z + 0.5 * x[i, s].x),
		times3(c[i, s], x[i+1, s])) = d[i, s] boundary (Three(0, 0, 0));
}
kernel blocks_four(k: f32[n], d: Four[m, n], out x: Four[m, n]) {
	solve x[s, i] in sum4(sum4(mixed4(7 + abs(k[i]), x[s, i]), mixed4(1, x[s, i-1])), mixed4(k[i] / 2, x[s, i+1]))
		= d[s, i] boundary (Four(0, 0, 0, 0));
}
// two reactants that diffuse
kernel blocks_reaction(d: Couple[n], r: f64, out x: Couple[n]) {
	solve x[i] in Couple(x[i].e - abs(r) * (x[i-1].e - 2 * x[i].e + x[i+1].e) + 0.5 * x[i].h,
		x[i].h - 2 * abs(r) * (x[i-1].h - 2 * x[i].h + x[i+1].h) - 0.5 * x[i].e) = d[i] boundary clamp;
}
kernel blocks_ends(d: Two[m, n], left: Two[m], out x: Two[m, n], out y: Two[m, n]) {
	solve x[s, i] in Two(4 * x[s, i].u - x[s, i-1].v + x[s, i+1].u, 5 * x[s, i].v + x[s, i-1].u - x[s, i+1].v - x[s, i].u)
		= d[s, i] boundary (left[s]);
	solve y[s, i] in plus2(scaled2(3, y[s, i]), plus2(scaled2(0.5, y[s, i-1]), Two(-y[s, i+1].v, y[s, i+1].u)))
		= Two(d[s, i].v, 1) boundary clamp;
}
kernel blocks_guards(d: Three[m, n], e: Two[n, m], out x: Three[m, n], out y: Two[n, m]) {
	solve x[s, i] in sum3(i > 0 ? x[s, i-1] : Three(0, 0, 0),
		Three(3 * x[s, i].x + x[s, i].y, 3 * x[s, i].y - x[s, i].x, 4 * x[s, i].z - x[s, i].y),
		i + 1 < n ? Three(0.5 * x[s, i+1].y, 0.5 * x[s, i+1].z, x[s, i+1].x) : Three(0, 0, 0)) = d[s, i];
	solve y[i, s] in i == 0 || i == n - 1 ? Two(y[i, s].u, 2 * y[i, s].v)
		: plus2(plus2(Two(4 * y[i, s].u + y[i, s].v, 4 * y[i, s].v - y[i, s].u), y[i-1, s]), y[i+1, s])
		= i == 0 ? Two(1, 2) : e[i, s];
}
kernel blocks_one_side(k: f32[n], d: Two[m, n], e: Couple[n, m], out x: Two[m, n], out y: Two[m, n], out z: Couple[n, m]) {
	solve x[s, i] in Two(x[s, i].u + 0.5 * x[s, i-1].v, x[s, i].v - 0.5 * x[s, i-1].u) = d[s, i] boundary (Two(0, 0));
	solve y[s, i] in Two((1 + abs(k[i])) * y[s, i].u - k[i] * y[s, i+1].v, y[s, i].v + y[s, i].u / 4 - y[s, i+1].u / 2)
		= Two(d[s, i].v + 1, d[s, i].u) boundary (Two(1, 1));
	solve z[i, s] in Couple(z[i, s].e / 2 + z[i-1, s].h / 4, z[i, s].h - 0.25 * z[i, s].e) = e[i, s] boundary (Couple(0, 0));
}
kernel blocks_soa(a: Mat2[m, n] layout soa, d: Two[m, n] layout soa, out x: Two[m, n], out y: Three[n, m]) {
	solve x[s, i] in plus2(times2(strong2(a[s, i], a[s, i]), x[s, i]), times2(a[s, i], plus2(x[s, i-1], scaled2(-1, x[s, i+1]))))
		= d[s, i] boundary (Two(0, 0));
	solve y[i, s] in Three(4 * y[i, s].x + y[i-1, s].y, 4 * y[i, s].y - y[i+1, s].z, 4 * y[i, s].z - y[i, s].x + y[i-1, s].x)
		= Three(f64(d[s, i].u), f64(d[s, i].v), 1) boundary (Three(0, 0, 0));
}
kernel blocks_fused(a: f32[m, n], d: f32[m, n], out x: Two[m, n], out y: f32[m, n]) {
	let right: Two[m, n];
	map right[s, i] = Two(d[s, i] * d[s, i] + 1, d[s, i]);
	solve x[s, i] in Two(6 * x[s, i].u + clamp(a[s, i], -1, 1) * x[s, i+1].v, 6 * x[s, i].v - x[s, i-1].u - x[s, i].u) = right[s, i]
		boundary (Two(0, 0));
	map y[s, i] = x[s, i].u + x[s, i].v;
}
kernel blocks_long(d: Two[9001], e: Couple[2, 6144], f: Three[5000, 2], g: Four[4099], out a: Two[9001], out b: Couple[2, 6144],
		out c: Three[5000, 2], out h: Four[4099]) {
	solve a[r] in Two(3 * a[r].u - a[r-1].u - a[r+1].v, 3 * a[r].v + a[r-1].v - a[r+1].u) = d[r] boundary (Two(0, 0));
	solve b[s, r] in Couple((r > 0 ? b[s, r-1].h : 0) + (r + 1 < 6144 ? b[s, r+1].e : 0) + 2.25 * b[s, r].e, b[s, r].h + b[s, r].e / 2)
		= e[s, r];
	solve c[r, s] in Three(4 * c[r, s].x - c[r+1, s].y, 4 * c[r, s].y + c[r-1, s].x, 4 * c[r, s].z - c[r-1, s].z) = f[r, s]
		boundary (Three(0, 0, 0));
	solve h[r] in sum4(mixed4(6, h[r]), sum4(h[r-1], mixed4(-1, h[r+1]))) = g[r] boundary (Four(0, 0, 0, 0));
}
kernel blocks_steps(inout w: Two[n, m], steps: i32) {
	let half: Two[n, m];
	repeat t < steps {
		solve half[i, j] in plus2(Two(4 * half[i, j].u + half[i, j].v, 4 * half[i, j].v - half[i, j].u),
			plus2(half[i, j-1], half[i, j+1])) = w[i, j] boundary (Two(0, 0));
		solve w[i, j] in plus2(Two(4 * w[i, j].u + w[i, j].v, 4 * w[i, j].v - w[i, j].u), plus2(w[i-1, j], w[i+1, j]))
			= half[i, j] boundary (Two(0, 0));
	}
}
// the first equation of a cell is less than the next, so that they are exchanged
kernel blocks_exchanged(d: Two[m, n], e: Three[n, m], f: Four[145, 34], g: Two[3, 700], out x: Two[m, n], out y: Three[n, m],
		out z: Four[145, 34], out w: Two[3, 700]) {
	solve x[s, i] in Two(4 * x[s, i].u + x[s, i].v + x[s, i-1].u, 20 * x[s, i].u + 50 * x[s, i].v - 20 * x[s, i+1].u) = d[s, i]
		boundary (Two(0, 0));
	solve y[i, s] in Three(4 * y[i, s].x + y[i, s].z - y[i-1, s].y, 4 * y[i, s].y - 2 * y[i, s].z + y[i+1, s].z,
		60 * y[i, s].z + 10 * y[i, s].x - 20 * y[i, s].y + 10 * y[i-1, s].z) = e[i, s] boundary (Three(0, 0, 0));
	solve z[i, s] in sum4(z[i-1, s], Four(4 * z[i, s].p + z[i, s].s, 12 * z[i, s].q + 6 * z[i, s].p, 30 * z[i, s].r + 8 * z[i, s].p
		+ 14 * z[i, s].q, 90 * z[i, s].s - 40 * z[i, s].r + 20 * z[i+1, s].p)) = f[i, s] boundary (Four(0, 0, 0, 0));
	solve w[s, i] in Two(4 * w[s, i].u + w[s, i].v + w[s, i-1].u, 20 * w[s, i].u + 50 * w[s, i].v - 20 * w[s, i+1].u) = g[s, i]
		boundary (Two(0, 0));
}
// the own coefficients of a field are 0
kernel blocks_crossed(d: Two[m, n], e: Three[n, m], out x: Two[m, n], out y: Three[n, m]) {
	solve x[s, i] in Two(4 * x[s, i].v + x[s, i-1].u, 5 * x[s, i].u - x[s, i+1].v) = d[s, i] boundary (Two(0, 0));
	solve y[i, s] in Three(4 * y[i, s].y + y[i-1, s].x, 4 * y[i, s].z - y[i+1, s].y, 4 * y[i, s].x + y[i, s].z) = e[i, s]
		boundary (Three(0, 0, 0));
}
// the matrix of the first cell is that of the first pivot with each order of elimination
kernel blocks_zero(b: f32[m, n], d: Two[m, n], out x: Two[m, n]) {
	solve x[s, i] in Two(x[s, i-1].u + (b[s, i] == 0 ? 0 : 4 + abs(b[s, i])) * x[s, i].u + x[s, i+1].u,
		x[s, i-1].v + 4 * x[s, i].v + x[s, i+1].v) = d[s, i] boundary (Two(0, 0));
}
kernel blocks_third(b: f64[n, m], d: Three[n, m], out x: Three[n, m]) {
	solve x[i, s] in Three(4 * x[i, s].x - x[i-1, s].x + x[i+1, s].y, 4 * x[i, s].y - x[i-1, s].y,
		(i == 0 && s % 3 == 2 ? 0 : 4) * x[i, s].z + x[i+1, s].z) = Three(d[i, s].x + 0 * b[i, s], d[i, s].y, d[i, s].z)
		boundary (Three(0, 0, 0));
}
test matrices_as_numbers {
	blocks_rows(a = [[Mat2(1, 0, 0, 1), Mat2(1, -1, 0, 2), Mat2(0, 1, 1, 0)]], c = [[Mat2(2, 0, 1, 0), Mat2(0, 1, 0, -1), Mat2(1, 1, 1, 1)]],
		d = [[Two(11, 8.5), Two(19, 12.5), Two(27, 24.5)]]) -> x = [[Two(1, 2), Two(3, 4), Two(5, 6)]] within 0.000001;
	blocks_rows(a = [[Mat2(1, -1, 0, 2)], [Mat2(1, -1, 0, 2)]], c = [[Mat2(0, 1, 0, -1)], [Mat2(0, 1, 0, -1)]],
		d = [[Two(5, 7.5)], [Two(10, 15)]]) -> x = [[Two(1, 2)], [Two(2, 4)]] within 0.000001;
	blocks_columns(a = [[Mat3([[1, 0, 0], [0, 1, 0], [0, 0, -1]])], [Mat3([[1, 0, 0], [0, 1, 0], [0, 0, -1]])]],
		c = [[Mat3([[0, 1, 0], [0, 0, 2], [1, 0, 0]])], [Mat3([[0, 1, 0], [0, 0, 2], [1, 0, 0]])]],
		d = [[Three(1, 2, 3)], [Three(4, 5, 6)]])
		-> x = [[Three(-0.11857461, -0.406141427, 0.552281265)], [Three(1.40244351, 1.5953295, 1.95035317)]] within 0.00000001;
	blocks_four(k = [1, -2], d = [[Four(1, 2, 3, 4), Four(5, 6, 7, 8)]])
		-> x = [[Four(-0.0216254087, 0.26104624, 0.156235404, 0.537365717), Four(0.452779075, 0.685567492, 0.599252686, 0.913124708)]]
		within 0.000001;
	blocks_reaction(d = [Couple(3, 1), Couple(3, 1)], r = 0.5) -> x = [Couple(2, 2), Couple(2, 2)] within 0.00000001;
	blocks_reaction(d = [Couple(3, 1), Couple(0, 1), Couple(2, 4)], r = 0.5)
		-> x = [Couple(1.37260788, 1.81388368), Couple(-0.0682926829, 1.94146341), Couple(0.295684803, 3.04465291)] within 0.00000001;
	blocks_ends(d = [[Two(1, 2), Two(3, 4), Two(0, 1)], [Two(1, 2), Two(3, 4), Two(0, 1)]], left = [Two(1, 2), Two(0, 0)])
		-> x = [[Two(0.530721393, 0.496890547), Two(0.877114428, 0.953731343), Two(-0.0115671642, 0.422263682)],
			[Two(0.0400497512, 0.603233831), Two(0.839800995, 0.976119403), Two(0.244029851, 0.0808457711)]],
		y = [[Two(0.652539913, -0.085341074), Two(1.29869376, 0.283889695), Two(0.191001451, 0.222351234)],
			[Two(0.652539913, -0.085341074), Two(1.29869376, 0.283889695), Two(0.191001451, 0.222351234)]] within 0.000001;
	blocks_guards(d = [[Three(1, 2, 3), Three(4, 5, 6)]], e = [[Two(1, 2)], [Two(3, 4)]])
		-> x = [[Three(-0.0813648294, 0.341207349, 0.645669291), Three(0.758530184, 1.80577428, 1.79002625)]],
		y = [[Two(1, 1)], [Two(3, 2)]] within 0.00000001;
	blocks_one_side(k = [1, -1, 2], d = [[Two(1, 2), Two(3, 4), Two(0, 1)]], e = [[Couple(1, 2)], [Couple(3, 4)], [Couple(0, 1)]])
		-> x = [[Two(1, 2), Two(2, 4.5), Two(-2.25, 2)]],
		y = [[Two(3.03125, 1.45052083), Two(2.41666667, 3.0625), Two(1.33333333, 0.166666667)]],
		z = [[Couple(2, 2.5)], [Couple(4.75, 5.1875)], [Couple(-2.59375, 0.3515625)]] within 0.000001;
	blocks_fused(a = [[0.5, 0]], d = [[2, -3]]) -> x = [[Two(0.840182648, 0.473363775), Two(1.66666667, -0.0821917808)]],
		y = [[1.31354642, 1.58447489]] within 0.000001;
	blocks_steps(w = [[Two(17, 0)]], steps = 1) -> w = [[Two(0.882352941, 0.470588235)]] within 0.000001;
	blocks_exchanged(d = [[Two(5, 50), Two(6, 70)]], e = [[Three(5, 3, 50)], [Three(4, 2, 60)]], f = Four(0, 0, 0, 0), g = Two(0, 0))
		-> x = [[Two(1, 1), Two(1, 1)]], y = [[Three(1, 1, 1)], [Three(1, 1, 1)]] within 0.000001;
	blocks_crossed(d = [[Two(8, 2), Two(9, 7), Two(14, 15)]], e = [[Three(4, 4, 5)], [Three(6, 8, 10)], [Three(0, 0, 0)]])
		-> x = [[Two(0.80952381, 2), Two(2, 2.04761905), Two(3, 3)]] within 0.000001;
}
test matrices_without_an_inverse {
	blocks_zero(b = [[1, -1]], d = [[Two(6, 5), Two(6, 5)]]) -> x = [[Two(1, 1), Two(1, 1)]] within 0.000001;
	blocks_zero(b = [[1, 1], [0, 1]], d = [[Two(6, 5), Two(6, 5)], [Two(6, 5), Two(6, 5)]]) -> status pivot;
	blocks_zero(b = [[0]], d = [[Two(1, 1)]]) -> status pivot;
	blocks_third(b = [[0, 0, 0]], d = [[Three(4, 8, 12), Three(4, 8, 12), Three(4, 8, 12)]]) -> status pivot;
	blocks_third(b = [[0]], d = [[Three(4, 8, 12)]]) -> x = [[Three(1, 2, 3)]] within 0.00000001;
}
