// precision.pat - products of f32 that a target may round: operands that lie either way, computed ones, a batch, epilogues, large
// tiles for the units of warps and, on sm_90a, of groups of warps.
kernel orders(a: f32[n, l], b: f32[l, n], c: f32[l, m], d: f32[m, l], out p: f32[n, m], out q: f32[n, m], out r: f32[n, m],
	inout s: f32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * d[j, k]) precision tf32;
	matmul q[i, j] = sum[k](b[k, i] * d[j, k]) precision tf32x3;
	matmul r[i, j] = sum[k](a[i, k] * c[k, j]) precision tf32;
	matmul s[i, j] += sum[k](a[i, k] * c[k, j]) precision tf32x3;
}
kernel layer(x: f32[s, n, l], w: i8[m, l], scale: f32[m], bias: f32[m], out y: f32[s, n, m], out most: f32[s, n]) {
	let p: f32[s, n, m];
	matmul p[q, i, j] = sum[k](x[q, i, k] * (w[j, k] * scale[j])) precision tf32;
	reduce most[q, i] = max[j](p[q, i, j]);
	map y[q, i, j] = max(p[q, i, j] + bias[j], 0);
}
kernel narrower(a: f16[n, l], b: i8[m, l], c: f32[l, m], out p: f32[n, m], out q: f32[n, m], out r: f32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * f32(b[j, k])) precision tf32;
	matmul q[i, j] = sum[k](f32(a[i, k]) * c[k, j]) precision tf32x3;
	matmul r[i, j] = sum[k](f32(a[i, k]) * f32(a[j, k])) for j in 0..min(n, m) precision tf32x3;
}
kernel ordered(a: f32[n, l], b: f16[l, m], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * f32(b[k, j])) precision tf32 strict;
}
kernel wide(x: f32[b, h + 2, w + 2, 8], f: f32[16, 3, 3, 8], out y: f32[b, h, w, 16]) {
	matmul y[q, i, j, o] = sum[r, s, c](x[q, i + r, j + s, c] * f[o, r, s, c]) precision tf32;
}
// products that are nearly too large, once factors are rounded up
fn root(x: f32, k: i64) -> f32 = k == 0 && x == x ? 1.8444e19 : 0;
kernel nearly(a: f32[n, l], b: f32[l, m], out c: f32[n, m], out d: f32[n, m]) {
	matmul c[i, j] = sum[k](root(a[i, k], k) * root(b[k, j], k)) precision tf32x3;
	matmul d[i, j] = sum[k](root(a[i, k], k) * root(b[k, j], k)) precision tf32;
}
// whole steps of terms and a rest, tiles that are moved back
kernel large(a: f32[260, 72], b: f32[72, 132], inout p: f32[260, 132], c: f32[132, 168], d: f32[260, 168], out q: f32[132, 260],
	e: f32[72, 260], out r: f32[260, 132], f: f32[168, 132], out s: f32[132, 260]) {
	one: matmul p[i, j] += sum[k](a[i, k] * b[k, j]) precision tf32;
	two: matmul q[i, j] = sum[k](c[i, k] * d[j, k]) precision tf32;
	three: matmul r[i, j] = sum[k](e[k, i] * b[k, j]) precision tf32;
	four: matmul s[i, j] = sum[k](f[k, i] * d[j, k]) precision tf32;
}
kernel large_split(a: f32[260, 104], b: f32[104, 260], c: f32[104, 132], d: f32[132, 104], inout p: f32[260, 132],
	out q: f32[260, 132], out r: f32[260, 132], out s: f32[260, 132]) {
	one: matmul p[i, j] += sum[k](a[i, k] * c[k, j]) precision tf32x3;
	two: matmul q[i, j] = sum[k](a[i, k] * d[j, k]) precision tf32x3;
	three: matmul r[i, j] = sum[k](b[k, i] * c[k, j]) precision tf32x3;
	four: matmul s[i, j] = sum[k](b[k, i] * d[j, k]) precision tf32x3;
}
// few terms, or none; a batch of tiles, and what follows them
kernel large_layer(x: f32[2, 260, l], w: f32[l, 136], bias: f32[136], out y: f32[2, 260, 136], out most: f32[2, 260]) {
	let p: f32[2, 260, 136];
	one: matmul p[q, i, j] = sum[k](x[q, i, k] * w[k, j]) precision tf32;
	reduce most[q, i] = max[j](p[q, i, j]);
	map y[q, i, j] = p[q, i, j] + bias[j];
}
kernel large_any(x: f32[2, 260, l], w: f32[l, 136], v: f32[l, 136], bias: f32[136], out y: f32[2, 260, 136], out z: f32[2, 260, 136]) {
	one: matmul y[q, i, j] = max(sum[k](x[q, i, k] * w[k, j]) + bias[j], 0) precision tf32;
	two: matmul z[q, i, j] = max(sum[k](x[q, i, k] * v[k, j]) + bias[j], 0) precision tf32x3;
}
schedule large for cuda sm_75 { one: tile 128 x 128; two: tile 128 x 128; three: tile 128 x 128; four: tile 128 x 128; }
schedule large_split for cuda sm_75 { one: tile 64 x 128; two: tile 64 x 128; three: tile 64 x 128; four: tile 64 x 128; }
schedule large_layer for cuda sm_75 { one: tile 128 x 128; }
schedule large_any for cuda sm_75 { one: tile 128 x 128; two: tile 64 x 128; }
schedule large for cuda sm_80 { one: tile 256 x 128; two: tile 256 x 128; three: tile 256 x 128; four: tile 256 x 128; }
schedule large_split for cuda sm_80 { one: tile 64 x 128; two: tile 64 x 128; three: tile 64 x 128; four: tile 64 x 128; }
schedule large_layer for cuda sm_80 { one: tile 256 x 128; }
schedule large_any for cuda sm_80 { one: tile 256 x 128; two: tile 64 x 128; }
schedule large for cuda sm_90a { one: tile 256 x 128; two: tile 128 x 256; three: tile 256 x 128; four: tile 128 x 256; }
schedule large_split for cuda sm_90a { one: tile 256 x 128; two: tile 256 x 128; three: tile 256 x 128; four: tile 256 x 128; }
schedule large_layer for cuda sm_90a { one: tile 256 x 128; }
schedule large_any for cuda sm_90a { one: tile 256 x 128; two: tile 256 x 128; }
