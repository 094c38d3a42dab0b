// folds behind maps and stencils, into lets, op-assign, rows of structs, ranks four and five
struct P { x, y: f32, m: f64 }
struct G { a: P, w: f32[4] }
kernel g1(p: P[n], out cx: f64, out cy: f64, out m: f64, out k: i64) {
	reduce m = sum[i](p[i].m), cx = sum[i](p[i].m * p[i].x), cy = sum[i](p[i].m * p[i].y);
	reduce k = count[i](p[i].x > p[i].y);
}
kernel g2(g: G[n], out s: f32, out t: f32[n], out u: f32[4], out e: i64) {
	reduce s = sum[i, k in 0..4](g[i].w[k]);
	reduce t[i] = sum[k](g[i].w[k]) + g[i].a.x;
	reduce u[k] = max[i](g[i].w[k]);
	reduce e = count[i](g[i] == g[i] && g[i].a != g[0].a);
}
kernel g3(A: f32[a, 3, c, d], out x: f32[a], out y: f32[3, d], out z: f32[d], out w: f32[a, 3, c], out v: f32) {
	reduce x[i] = sum[j, k, l](A[i, j, k, l]);
	reduce y[j, l] = max[i, k](A[i, j, k, l]);
	reduce z[l] = sum[i, j, k](A[i, j, k, l]);
	reduce w[i, j, k] = min[l](A[i, j, k, l]);
	reduce v = prod[i, j, k, l where A[i, j, k, l] > 0](A[i, j, k, l]);
}
kernel g4(A: f32[a, 3, c, 2, 5], out x: f32[a, 5], out y: f32[c], out z: f32[3, c, 2]) {
	reduce x[i, m] = sum[j, k, l](A[i, j, k, l, m]);
	reduce y[k] = max[i, j, l, m](A[i, j, k, l, m]);
	reduce z[j, k, l] = sum[i, m](A[i, j, k, l, m]);
}
kernel g5(x: f32[n], y: f32[n], out s: f32, out d: f32[n]) {
	let t: f32[n];
	map t[i] = x[i] * y[i];
	map d[i] = t[i] + 1;
	reduce s = sum[i](t[i]);
}
kernel g6(x: f32[n], out s: f32, out m: f32) {
	let t: f32[n];
	map t[i] = exp(x[i] * 0.1);
	reduce s = sum[i](t[i]);
	reduce m = max[i](t[i]);
}
kernel softmax(A: f32[n, m], out B: f32[n, m]) {
	let top: f32[n];
	let z: f32[n];
	reduce top[i] = max[j](A[i, j]);
	reduce z[i] = sum[j](exp(A[i, j] - top[i]));
	map B[i, j] = exp(A[i, j] - top[i]) / z[i];
}
kernel norm(A: f32[n, m], g: f32[m], out B: f32[n, m]) {
	let mean: f32[n];
	let vari: f32[n];
	reduce mean[i] = sum[j](A[i, j]) / f32(max(m, 1));
	reduce vari[i] = sum[j]((A[i, j] - mean[i]) * (A[i, j] - mean[i])) / f32(max(m, 1));
	map B[i, j] = (A[i, j] - mean[i]) * rsqrt(vari[i] + 1.0e-5) * g[j];
}
kernel g7(A: f32[n, m], inout r: f32[n], inout c: f32[m], inout s: f64) {
	reduce r[i] += sum[j](A[i, j]);
	reduce c[j] max= max[i](A[i, j]);
	reduce s -= sum[i, j](f64(A[i, j]));
	reduce r[i] *= 1 + count[j](A[i, j] > 0);
}
kernel g8(A: f32[n, m], out r: f32[n]) {
	map r[i] = -1;
	reduce r[i] = sum[j](A[i, j]) for i in 1..n where i % 3 != 0;
}
kernel g9(x: f32[n], out y: f32[n]) {
	reduce y[i] = x[i] / (1 + sum[k](abs(x[k])));
}
kernel g10(a: f32[n, m], out b: f32[n, m], out e: f32, out l2: f64) {
	stencil b[i, j] = 0.25 * (a[i-1,j] + a[i+1,j] + a[i,j-1] + a[i,j+1]) boundary clamp;
	reduce e = max[i, j](abs(b[i, j] - a[i, j])), l2 = sum[i, j](f64(b[i, j]) * b[i, j]);
}
kernel g11(a: f32[n, m], out b: f32[n, m], out e: f32, out c: i64) {
	stencil b[i, j] = a[i-1,j] + a[i,j+1] boundary wrap where a[i, j] > 0;
	reduce e = sum[p, q](b[p, q] * a[p, q]);
	reduce c = count[i, j](b[i, j] > a[i, j]);
}
kernel g12(a: f32[n, m], inout b: f32[n, m], out e: f32) {
	stencil b[i, j] = a[i-1,j] + a[i,j+1] for i in 1..n, j in 0..m-1;
	reduce e = max[i, j](b[i, j]);
}
kernel g13(x: f32[n], out s: f32) {
	let y: f32[n];
	stencil y[i] = x[i-1] - x[i] boundary wrap;
	reduce s = sum[i](y[i] * y[i]);
}
kernel g14(x: f32[n], out y: f32[n], out s: f32, out t: f32) {
	map y[i] = x[i] * 2;
	reduce s = sum[i](y[i]);
	map y[i] += s;
	reduce t = sum[i](y[i]);
}
kernel g15(b: bool[n, m], out any_: bool[n], out all_: bool[m], out c: i64[n], out x: bool) {
	reduce any_[i] = any[j](b[i, j]);
	reduce all_[j] = all[i](b[i, j]);
	reduce c[i] = count[j](b[i, j]) + i;
	reduce x = any[i](all[j](b[i, j]));
}
kernel g16(x: f32[n], a: f32, k: i32, out s: f32, out t: i64) {
	reduce s = a * sum[i](x[i] * f32(k)) + f32(n);
	reduce t = sum[i in 0..n](i * k) + count[i](x[i] > a);
}
kernel g17(A: f32[n, m], out d: f32) {
	reduce d = sum[i in 0..min(n, m)](A[i, i]);
}
kernel g18(A: u8[n, m], out r: u8[n], out s: u32[n], out t: u64, out f: f32[m]) {
	reduce r[i] = max[j](A[i, j]);
	reduce s[i] = sum[j](u32(A[i, j]));
	reduce t = sum[i, j](u64(A[i, j]));
	reduce f[j] = sum[i](f32(A[i, j])) / 255;
}
kernel g19(A: f32[4, n], B: f32[n, 4], out a: f32[4], out b: f32[4], out c: f32[n], out d: f32[n]) {
	reduce a[i] = sum[j](A[i, j]);
	reduce b[j] = sum[i](B[i, j]);
	reduce c[j] = sum[i](A[i, j]);
	reduce d[i] = sum[j](B[i, j]);
}
kernel g20(x: f32[n], y: f32[n], out a: f32, out b: f32) {
	reduce a = sum[i](x[i]), b = sum[j](y[j]) + max[k](x[k]);
}
kernel g21(b: bool[n, m], out c: i64[n], out d: i64[n], out e: i64[n]) {
	reduce c[i] = count[j](b[i, j]);
	reduce d[i] = count[j where j % 2 == 0](b[i, j]);
	reduce e[i] = count[j](b[i, j]);
}
