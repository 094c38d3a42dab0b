// strict: folds run in the order of their terms and products stay products, so that every target gives the
// bits of the loop as written; the interpreter's bound is 0 here, and the comparison exact.
struct C { re, im: f32 }
struct D { hi, lo: f64 }
op cmul(a: C, b: C) -> C = C(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
	identity C(1, 0), associative, commutative;
op mix(a: f32, b: f32) -> f32 = 0.5 * a + 0.25 * b;
op two(a: D, b: D) -> D {
	let s = a.hi + b.hi;
	let v = s - a.hi;
	return D(s, a.lo + b.lo + (a.hi - (s - v)) + (b.hi - v));
} assume identity D(0, 0), assume associative;
fn axpy(a: f32, x: f32, y: f32) -> f32 = a * x + y;
fn norm(x: f64, y: f64) -> f64 {
	var s = x * x;
	s = s + y * y;
	return sqrt(s) / (1 + s);
}
kernel totals(x: f32[n], z: f32[n], w: f64[n], h: f16[n], u: i32[n], out s: f32, out d: f32, out p: f64, out c: C,
              out t: D, out g: f32, out k: i64, out m: f32, out at: i64, out q: i32) {
	reduce s = sum[i](x[i]), d = sum[i](x[i] * z[i]) + 0.5 * x[0] strict where n > 0;
	reduce p = prod[i](w[i]) * 3 + 1 strict;
	reduce c = cmul[i where i % 7 == 0](C(x[i], z[i])) strict;
	reduce t = two[i](D(w[i], 0)) strict;
	reduce g = sum[i](h[i]), k = count[i](x[i] > 0), m, at = argmax[i](x[i]), q = sum[i](u[i]) strict;
}
kernel cells(x: f32[m, n], w: f64[m, n], out row: f32[m], out column: f32[n], out pair: f64[m], out plane: f32,
             out low: f32[n], out tail: f32[m]) {
	reduce row[i] = sum[j](x[i, j]) strict;
	reduce column[j] = sum[i](x[i, j] * x[i, j]), low[j] = min[i](x[i, j]) strict;
	reduce pair[i] = 2 * sum[j where j % 3 != 1](w[i, j]) - prod[j](w[i, j]) strict;
	reduce plane = sum[i, j](x[i, j] * 0.1) strict;
	reduce tail[i] = mix[j in 0..n where j > 0](x[i, j]) strict for i in 0..m where n > 1;
}
kernel unordered(size: u8[n], x: f32[m, n + 1], out a: f32[m], out b: f32) {
	reduce a[i] = mix[j](x[i, j]) strict;
	reduce b = mix[i in 0..1, j](x[i, j]) strict where m > 0;
}
kernel values(x: f32[n], z: f32[n], v: f64[n], inout y: f32[n], out r: f64[n], out b: f32[n], out a: f32[n], out e: f32[n]) {
	map y[i] = x[i] * z[i] + y[i], r[i] = norm(v[i], f64(x[i])) strict;
	stencil b[i] = sum[k in -2..3](x[i + k] * z[i]) + axpy(0.3, x[i - 1], y[i]) strict boundary clamp;
	stencil a[i] = mix[k in 0..3](x[i + k]) strict boundary wrap;
	stencil e[i] = sum[k in -1..2 where k != 0](0.1 * x[i + k]) strict boundary (0.3f32 * f32(i));
}
kernel fused(x: f32[n], z: f32[n], out y: f32[n], out s: f32, out f: f32[n]) {
	let t: f32[n];
	let u: f32[n];
	map t[i] = x[i] * z[i] strict;
	map y[i] = t[i] * 2 + x[i] strict;
	map u[i] = x[i] * 0.7;
	map f[i] = u[i] + z[i] strict;
	stencil y[i] = x[i - 1] + z[i] strict boundary wrap;
	reduce s = sum[i](y[i]) strict;
}
