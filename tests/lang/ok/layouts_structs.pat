// Fields that lie apart: soa, aosoa(k), with columns and leading dimensions.
struct V { x, y, z: f32 }
struct Mixed { a: u8, b: f64, c: i16, d: bool, e: f32 }
struct Deep { v: V, w: V[2], m: i32[2, 3], k: i8 }
struct Cell { f: f32[9] }
fn turned(v: V, s: f32) -> V = V(v.y * s, v.z + s, v.x);
fn mixed_of(a: Mixed) -> Mixed = Mixed(a.a, a.b + 1, a.c, !a.d, a.e * 2);
fn relaxed(c: Cell, omega: f32) -> Cell {
	var r = c;
	var rho: f32 = 0;
	for k in 0..9 { rho += c.f[k]; }
	for k in 0..9 { r.f[k] = c.f[k] - omega * (c.f[k] - rho / 9); }
	return r;
}
kernel fields(p: V[n] layout soa, q: V[n] layout aosoa(4), o: V, out r: V[n] layout soa, out s: V[n] layout aosoa(8), inout d: f32[n]) {
	map r[i].x = p[i].y + q[i].z, r[i].y = 2 * r[i].x, r[i].z = o.z;
	map s[i].y = p[i].x, s[i].x = q[i].x;
	map s[i].z = d[i] where p[i].x > q[i].x;
	map d[i] = p[i].x * q[i].x + o.y;
}
// a cell is read whole before it is written
kernel cells(inout p: V[n] layout soa, inout q: V[n] layout aosoa(3), s: f32, out r: V[n] layout soa, out same: bool[n]) {
	map p[i] = turned(p[i], s), r[i] = p[i];
	map p[i] = V(p[i].z, p[i].x, p[i].y), q[i] = p[i].x > s ? turned(q[i], 2) : p[i];
	map same[i] = p[i] == q[i] || r[i] != p[i];
}
kernel mixes(p: Mixed[n] layout soa, q: Mixed[n] layout aosoa(5), inout r: Mixed[n] layout aosoa(32), out s: Mixed[n] layout soa, out t: Mixed[n]) {
	map r[i] = mixed_of(p[i]) where p[i].d;
	map s[i] = r[i];
	map t[i] = q[i];
	map s[i].c += 1 for i in 1..n;
}
kernel deep(p: Deep[n] layout soa, q: Deep[n] layout aosoa(2), out r: Deep[n] layout soa, out s: Deep[n] layout aosoa(2), out y: i32[n, 3]) {
	map r[i] = q[i], s[i] = p[i];
	map r[i].w[1].y = p[i].v.x, s[i].w[0] = p[i].v, r[i].m[1, 2] = q[i].m[0, 1] + p[i].k;
	map y[i, k] = p[i].m[1, k] + q[i].m[0, k];
}
kernel plane(p: V[n, m] layout soa, q: V[n, m] layout col soa, inout r: V[n, m] layout soa row(ld), out s: V[n, m] layout aosoa(4) col(ls)) {
	map r[i, j] = V(p[i, j].x, q[i, j].y, r[i, j].z);
	map s[i, j].x = r[i, j].x, s[i, j].y = q[i, j].z, s[i, j].z = 3;
	map s[i, j] = q[i, j] where p[i, j].x > 0;
}
kernel around(p: V[n, m] layout soa, q: V[n, m] layout aosoa(8), c: V[n, m] layout col(ld) soa, out a: V[n, m] layout soa, inout b: V[n, m] layout col) {
	s: stencil a[i, j] = V(p[i-1, j].x, p[i, j+1].y, p[i+1, j-1].z) boundary (mirror, wrap);
	stencil b[i, j] = q[i-1, j] boundary V(1, 2, 3);
	stencil b[i, j].y = c[i-1, j-1].x + c[i+1, j+1].z boundary (V(1, 2, 3), V(f32(i), 5, f32(j)));
	stencil b[i, j].z += q[i, j+1].z boundary 7;
	stencil a[i, j].x -= c[i-1, j].y boundary keep;
}
schedule around for cuda { s: stage shared; }
// streaming and collision of a lattice: what comes from a neighbour is one element of it
kernel lattice(inout g: Cell[n, m] layout soa, inout h: Cell[n, m] layout aosoa(16), steps: i32) {
	let t: Cell[n, m];
	let u: Cell[n, m];
	repeat k < steps {
		stencil t[i, j].f[0] = g[i, j].f[0], t[i, j].f[1] = g[i-1, j].f[1], t[i, j].f[2] = g[i, j-1].f[2],
		        t[i, j].f[3] = g[i+1, j].f[3], t[i, j].f[4] = g[i, j+1].f[4], t[i, j].f[5] = g[i-1, j-1].f[5],
		        t[i, j].f[6] = g[i+1, j-1].f[6], t[i, j].f[7] = g[i+1, j+1].f[7], t[i, j].f[8] = g[i-1, j+1].f[8]
		        boundary wrap;
		map t[i, j] = relaxed(t[i, j], 0.75);
		swap g, t;
		stencil u[i, j].f[q] = h[i+1, j].f[q] for i in 0..n, j in 0..m, q in 0..9 boundary (wrap, clamp, clamp);
		map u[i, j].f[3] += g[i, j].f[4];
		swap h, u;
	}
}
kernel lattice_until(inout g: V[n] layout aosoa(4), inout h: V[n] layout soa, out left: i64) {
	let t: V[n];
	let u: V[n];
	repeat until left == 0 at most 3 {
		map t[i] = turned(g[i], 1) for i in 1..n;
		map u[i].x = h[i].y - 1, u[i].y = h[i].x;
		reduce left = count[i](u[i].x > 0);
		swap t, g;
		swap h, u;
	}
}
kernel sums(p: V[n] layout soa, q: V[n, m] layout aosoa(8), c: Cell[n] layout soa, d: Cell[n] layout aosoa(4),
            out s: f32, out t: f32, out r: V[n] layout soa, out z: f32[9], out u: V) {
	reduce s = sum[i](p[i].x * p[i].y), t = max[i, j](q[i, j].z);
	reduce r[i].x = sum[j](q[i, j].x), r[i].y = min[j](q[i, j].y), r[i].z = p[i].z + sum[j](q[i, j].z);
	reduce z[k] = sum[i](c[i].f[k] + d[i].f[8 - k]);
	reduce u.x = sum[i](p[i].z), u.y = sum[i in 0..n, k in 0..9](c[i].f[k]);
}
kernel all_of(q: V[n, m] layout soa, out r: V[n] layout soa, out t: V[n] layout aosoa(4)) {
	reduce r[i] = V(sum[j](q[i, j].x), max[j](q[i, j].y), 3);
	reduce t[i] = turned(V(sum[j](q[i, j].x), max[j](q[i, j].y), 3), 2);
}
kernel tested(p: V[n] layout soa, c: Cell[n] layout aosoa(4), s: i32, t: i32, out q: V[n] layout soa, out d: Cell[n] layout soa) {
	map q[i] = V(p[i].y, p[i].x, 1) for i in 0..s;
	map d[i].f[k] = c[i].f[k] for i in 0..n, k in 0..t;
	map q[i] = turned(p[i], 1) for i in 0..t;
}
// some elements of a field: the others keep what they hold, or read as zero
kernel parts(p: V[n] layout soa, inout c: Cell[n] layout soa, out d: Cell[n] layout soa, out y: f32[n]) {
	let t: Cell[n];
	repeat k < 2 {
		map t[i].f[2] = p[i].x;
		map y[i] = t[i].f[2] + t[i].f[3];
		swap c, t;
	}
	map d[i].f[0] = p[i].y;
}
