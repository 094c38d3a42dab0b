// argmin and argmax: value and place, the first of equals, never NaN, nowhere in an empty domain; to a scalar,
// along axes, behind masks, over triangles, in one pass with other folds; the place alone in an expression.
struct Found { v: f32, at: i64, row: i64 }
struct P { x, y: i32 }
kernel totals(x: f32[n], u: u64[n], b: i8[n], out m: f32, out at: i64, out lo: f32, out odd: i64, out s: f64,
              out v: u64, out k: i64, out w: i8, out q: i64) {
	reduce m, at = argmax[i](x[i]), lo = min[i](x[i]), odd = argmin[i where i % 2 == 1](x[i]) + 1, s = sum[i](x[i]);
	reduce v, k = argmin[i](u[i]);
	reduce w, q = argmax[i in 1..n](b[i]);
}
kernel ties(x: i32[n], y: i32[m, n], out w: i32, out at: i64, out v: i32, out row: i64, out column: i64) {
	reduce w, at = argmax[i](x[i] & 1);
	reduce v, row, column = argmin[a, b](y[a, b] & 3);
}
kernel axes(x: f64[m, n], out v: f64[m], out at: i64[m], out low: f64[n], out row: i64[n], out p: f64, out i: i64,
            out j: i64) {
	reduce v[r], at[r] = argmax[c](x[r, c]);
	reduce low[c], row[c] = argmin[r](x[r, c]);
	reduce p, i, j = argmax[a in 1..m, b where a + b > 3](x[a, b]);
}
kernel planes(x: f32[l, m, n], out v: f32[l], out a: i64[l], out b: i64[l], out w: f32[m], out c: i64[m], out d: i64[m],
              out found: Found) {
	reduce v[q], a[q], b[q] = argmax[r, s](x[q, r, s]);
	reduce w[r], c[r], d[r] = argmin[q, s](x[q, r, s]);
	reduce found.v, found.at, found.row = argmin[q, r](x[q, r, 0]) where n > 0;
}
kernel inside(x: u8[n], p: P[n], size: i32, inout y: i64[n], out first: i64[n], out v: u8, out at: i64, out z: i32[n],
              out place: i64[n]) {
	reduce y[i] += argmin[k in 0..i+1](x[k]);
	reduce first[i] = argmax[k](x[k] % 16 == x[i] % 16 ? 1i32 : 0) for i in 0..n where i < size;
	let s: i64 = argmax[i](p[i].x - p[i].y) + argmin[i](i32(p[i].x));
	map y[i] += s;
	reduce v, at = argmax[i in 2..n](x[i]);
	stencil z[i], place[i] = argmax[k in -1..2](p[i + k].x) for i in 1..n-1;
}
kernel products(x: f32[n], z: f32[n], out v: f64, out at: i64, out c: i64) {
	let t: f32[n];
	map t[i] = x[i] * z[i] + 1;
	reduce v, at = argmax[i where x[i] > 0](t[i]), c = count[i](z[i] > 0);
}
kernel own(x: i32[m, n], inout v: i64[m], inout at: i64[m]) {
	reduce v[r], at[r] = argmax[c](x[r, c] ^ v[r]);
	reduce v[r], at[r] = argmin[c](x[r, c] * at[r]), v[r] = max[c](i64(x[r, c]) - v[r]);
}
kernel many(x: f32[n], y: i16[n], out a: i64, out b: i64, out c: i64, out d: i64, out e: i64, out f: f32, out g: i64) {
	reduce a = argmin[i](x[i]), b = argmax[i](x[i]), c = argmin[i](y[i]), d = argmax[i](y[i]),
		e = argmax[i](abs(x[i])), f, g = argmin[i](abs(x[i]));
}
// Cells whose fields lie apart, columns one behind another, halves.
struct Gauss { re, im: i32 }
struct At { v: f32, at: i64 }
op cmul(a: Gauss, b: Gauss) -> Gauss = Gauss(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re) identity Gauss(1, 0), associative;
kernel layouts(x: Gauss[m, n] layout soa, out s: Gauss[m] layout soa, out t: Gauss[n] layout aosoa(4), y: f32[m, n] layout col, out b: At[m] layout soa, out v: f32, out i: i64, out j: i64, out d: f16, out e: i64, h: bf16[m, n], g: f16[n]) {
	reduce s[r] = cmul[c](x[r, c]);
	reduce t[c] = cmul[r](x[r, c]);
	reduce b[r].v, b[r].at = argmax[c](y[r, c]);
	reduce v, i, j = argmin[r, c](y[r, c]);
	reduce d, e = argmax[c](g[c]);
	reduce e = argmax[c in 0..n where m > 1](h[1, c]) where m > 1;
}
