// patc --target=hip --arch=gfx90a
// How kernels can be formed: vectors, the work of a thread, and where cells are kept.
struct Pair { x, y: f32 }
kernel maps(u: u8[n], x: f32[n], a: f32[n, m], v: f32[m], p: Pair[n], count: i64[1], out y: f32[n], out w: u8[n], out b: f32[n, m], out q: Pair[n], out h: f64[n], out s: f64) {
	bytes: map w[i] = u[i] ^ 1;
	widened: map y[i] = f32(u[i]);
	fill: map h[i] = 1;
	rows: map b[i, j] = a[i, j] * v[j];
	structs: map q[i] = p[i];
	triangle: map b[i, j] = a[i, j] for i in 0..n, j in 0..min(i, m);
	scalar: map s = 1;
}
kernel stencils(a: f32[n, m], x: f32[n], g: f32[n, m, k], out b: f32[n, m], out y: f32[n], out h: f32[n, m, k], d: f32[3, 1]) {
	plane: stencil b[i, j] = a[i-1, j] + a[i, j] * 4 + a[i+1, j] boundary clamp;
	line: stencil y[i] = x[i-1] + x[i+1] boundary wrap;
	window: stencil y[i] = sum[w in -2..3](x[i+w] * exp(x[i])) boundary clamp;
	single: stencil b[i, j] = a[i, j];
	folded: stencil y[i] = x[i-1] + sum[w in 0..3](d[w, 0] * d[w, 0]) boundary clamp;
	space: stencil h[i, j, l] = g[i-1, j, l] + g[i, j, l+1] boundary clamp;
}
op pick(a: f32, b: f32) -> f32 = a != 0 ? a : b identity 0, associative;
kernel reduces(x: f32[n], a: f32[n, m], p: Pair[n], u: i32[n], out s: f32, out r: f32[n], out c: f32[m], out d: f32[n], out l: i32, out o: f32, out t: f32, out w: f64) {
	total: reduce s = sum[i](x[i] / 3);
	rows: reduce r[i] = sum[j](a[i, j]);
	wide: reduce w = sum[i](x[i]) + 0;
	wider: reduce w = sum[i](x[i]);
	columns: reduce c[j] = sum[i](a[i, j]);
	ragged: reduce d[i] = sum[j in 0..min(i, m)](a[i, j]);
	strided: reduce s = sum[i in 0..n/2](x[2*i]);
	integers: reduce l = sum[i](u[i] * u[i]);
	ordered: reduce o = pick[i](x[i]);
	pairs: reduce t = sum[i](p[i].x);
}
struct Point { x, y: f32 }
kernel targets(x: f32[n], out y: f32[n, 2], out p: Point[n] layout aosoa(4), out a: f32[n, m] layout col, s: i32) {
	column: map y[i, 0] = x[i];
	blocks: map p[i] = Point(x[i], 1);
	turned: map a[i, j] = x[i];
}
kernel busy(x: f32[n], out y: f32[n]) {
	map y[i] = sqrt(x[i] * x[i] + 1) * sin(x[i]) + x[i];
}
// columns that run, of structs: one a thread
struct Turn { re, im: f32 }
op turn(a: Turn, b: Turn) -> Turn = Turn(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
	identity Turn(1, 0), associative;
kernel turns(x: Turn[n, m], out p: Turn[n, m]) {
	scan p[i, j] = turn[i](x[i, j]);
}
kernel scans(x: f32[n], a: f32[n, m] layout row(ld), q: Point[n], out y: f32[n], out b: f32[n, m], out r: Point[n]) {
	flat: scan y[i] = sum(x[i]);
	pitched: scan b[i, j] = sum[j](a[i, j]);
	cut: scan y[i] = sum(x[i]) for i in 1..n;
	structs: scan r[i] = later(q[i]);
}
op later(a: Point, b: Point) -> Point = b associative;
kernel sweeps(p: f32[n, m], out a: f32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
// tiles whose rows have no vectors
kernel odd(x: f32[n], out t: f32[n, m] layout tiled(3, 5)) {
	map t[i, j] = x[i];
}
struct Three { a, b, c: f32 }
kernel first_structs(x: Three[p], inout y: f32[n]) {
	firsts: map y[i] = x[i].a + x[i].b * x[i].c where i < p;
}
kernel many(a: f64[n, m], out b: f64[n, m]) {
	cached: stencil b[i, j] = sum[k in 0..60](a[i + k - 4, j]) boundary clamp;
}
schedule many for hip { cached: stage l1; }
kernel waves(a: bf16[n, l], b: bf16[m, l], c: u8[n, l], d: u8[m, l], out e: f32[n, m], out f: i32[n, m]) {
	waves: matmul e[i, j] = sum[k](a[i, k] * b[j, k]);
	none: matmul f[i, j] = sum[k](c[i, k] * d[j, k]);
}
