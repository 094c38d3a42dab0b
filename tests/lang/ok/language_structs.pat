// structs: nested, with arrays, as parameters of every kind, equality, padding, in stencils and folds
struct V { x, y, z: f32 }
struct Mixed { a: u8, b: f64, c: i16, d: bool, e: f32 }
struct Cell { f: f32[9], rho: f64 }
struct Deep { v: V, c: Cell, m: i32[2, 3] }
struct One { x: i8 }
fn dot(a: V, b: V) -> f32 = a.x * b.x + a.y * b.y + a.z * b.z;
fn scale(a: V, s: f32) -> V = V(a.x * s, a.y * s, a.z * s);
fn unit(a: V) -> V { let l = sqrt(dot(a, a)) + 1; return scale(a, 1 / l); }
fn total(c: Cell) -> f64 { var s: f64 = 0; for k in 0..9 { s += c.f[k]; } return s + c.rho; }
kernel t1(p: V[n], s: f32, out q: V[n], out d: f32[n]) {
	map q[i] = scale(unit(p[i]), s), d[i] = dot(p[i], q[i]);
}
kernel t2(p: Mixed[n], inout q: Mixed[n], out e: bool[n], out o: Mixed) {
	map e[i] = p[i] == q[i] || p[i].d;
	map q[i].b = p[i].b * 2, q[i].c = p[i].c - 1, q[i].a += 3;
	map q[i].d = q[i].e > p[i].e;
	map o = Mixed(1, 2, 3, true, 5);
}
kernel t3(c: Cell[n, m], out o: Cell[n, m], out r: f64[n, m]) {
	stencil o[i, j].f[0] = c[i, j].f[0], o[i, j].f[1] = c[i-1, j].f[1], o[i, j].f[2] = c[i, j-1].f[2],
	        o[i, j].f[3] = c[i+1, j].f[3], o[i, j].f[4] = c[i, j+1].f[4] boundary wrap;
	map o[i, j].f[k] = 1 for i in 0..n, j in 0..m, k in 5..9;
	map o[i, j].rho = total(c[i, j]);
	map r[i, j] = sumcell(o[i, j]);
}
fn sumcell(c: Cell) -> f64 {
	var r = c.rho;
	for k in 0..3 { r -= c.f[3 * k] * 0.5; }
	return r;
}
kernel t4(d: Deep[n], out e: Deep[n], out s: f64, out m: i32) {
	map e[i] = d[i];
	map e[i].v.x = d[i].c.f[8], e[i].m[1, 2] = d[i].m[0, 1] + 1, e[i].c.rho = f64(d[i].v.z);
	reduce s = sum[i](e[i].c.rho), m = max[i](e[i].m[1, 2]);
}
kernel t5(p: V[n], out s: V, out k: i64) {
	let c: V;
	reduce c.x = sum[i](p[i].x), c.y = sum[i](p[i].y), c.z = sum[i](p[i].z);
	map s = scale(c, 0.5);
	reduce k = count[i](p[i] != p[0]);
}
kernel t6(a: One[n], b: V, out c: One[n], out d: V) {
	map c[i].x = a[i].x + 1;
	map d = unit(b);
	map d.y = b.x;
}
kernel t7(p: V[n], out q: V[n]) {
	let t: V[n];
	map t[i] = V(p[i].y, p[i].x, 0);
	map q[i] = t[i].x > 0 ? t[i] : p[i];
}
kernel t8(inout a: V[n], inout b: V[n], k: i32) {
	repeat t < k { map a[i].x = b[i].y + 1; swap a, b; }
}
kernel t9(p: V[n], v: V[n], w: f32[n], out a: V[n]) {
	reduce a[i].x = sum[j](w[j] * (p[j].x - p[i].x)), a[i].y = sum[j](w[j] * (p[j].y - p[i].y)) + v[i].y,
	       a[i].z = max[j](p[j].z);
}
kernel t10(c: Cell[n], out y: f32[n, 9], out z: f32[9], out s: f32) {
	map y[i, k] = c[i].f[k];
	reduce z[k] = sum[i](c[i].f[k]);
	reduce s = sum[i in 0..n, k in 0..9](c[i].f[k] * f32(k));
}
kernel t11(c: V[n, m], out o: V[n, m]) {
	stencil o[i, j] = V(c[i-1, j].x, c[i, j+1].y, c[i+1, j-1].z) boundary (mirror, wrap);
}
kernel t12(c: V[n], inout o: V[n]) {
	stencil o[i] = c[i+1] boundary keep;
	stencil o[i].x += c[i-1].x boundary clamp;
	stencil o[i].y = c[i-1].y boundary 7;
}
kernel t13(c: V[n, m], a: f64[n, m], k: u8[n, m], s: f32, out o: f64[n, m]) {
	stencil o[i, j] = c[i-1, j+1].x + a[i, j-1] + k[i+1, j] - c[i, j].y boundary 3;
	stencil o[i, j] += c[i-1, j+2].x * a[i+2, j-1] boundary (wrap, s + f32(j) * f32(i));
	stencil o[i, j] -= c[i+1, j-1].z + a[i-1, j-1] boundary (-1, 2);
}
kernel t14(c: Cell[n], inout o: Cell[n]) {
	stencil o[i].f[4] = c[i-1].f[2] + c[i+1].f[3] * f32(c[i+2].rho) boundary 0.5;
	stencil o[i].rho = sum[k in 0..3](f64(c[i+k-1].f[k]) * c[i-k].rho) boundary -1;
	stencil o[i] = c[i+1] boundary keep where c[i-1].f[0] > 0;
}
kernel t15(c: V[n, m], b: f32[m], out o: V[n, m]) {
	stencil o[i, j] = c[i-1, j] boundary V(1, 2, 3);
	stencil o[i, j].x = c[i-1, j].x + c[i, j-1].y boundary (b[0] * f32(i)) where m > 0;
}
