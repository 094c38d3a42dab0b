// units_bytes.pat - products of two floats of 8 bits that matrix units compute: all four pairs of types, operands that lie either
// way, aligned or not, a batch, what is in front and behind, terms that blocks share; more terms than a unit adds at once; tiles for
// the units of warps and, on sm_90a, of groups of warps.
kernel pairs(a: f8e4m3[n, l], b: f8e5m2[n, l], c: f8e4m3[l, m], d: f8e5m2[m, l], out p: f32[n, m], inout q: f32[n, m], out r: f32[n, m],
	out s: f32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * c[k, j]);
	matmul q[i, j] += sum[k](b[i, k] * d[j, k]);
	matmul r[i, j] = sum[k](f32(a[i, k]) * f32(d[j, k]));
	matmul s[i, j] = sum[k](f32(b[i, k]) * f32(c[k, j]));
}
kernel turned(a: f8e4m3[l, n], b: f8e4m3[m, l] layout row(ld), c: f8e5m2[l, m], out p: f32[n, m], out q: f32[n, m]) {
	matmul p[i, j] = sum[k](a[k, i] * b[j, k]) for i in 1..n where i != j;
	matmul q[i, j] = sum[k](f32(a[k, i]) * f32(c[k, j]));
}
kernel crossed(a: f8e5m2[n, l], b: f8e4m3[m, l], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](f32(a[i, k]) * f32(b[j, k]));
}
kernel quantised(x: f32[s, n, l], sx: f32[s], w: f8e4m3[m, l], bias: f32[m], out y: f8e4m3[s, n, m], out most: f32[s, n]) {
	let p: f32[s, n, m];
	matmul p[q, i, j] = sum[k](f8e4m3(x[q, i, k] * sx[q]) * w[j, k]);
	reduce most[q, i] = max[j](p[q, i, j]);
	map y[q, i, j] = f8e4m3(max(0, p[q, i, j] + bias[j]));
}
kernel long(a: f8e4m3[9, l], b: f8e4m3[7, l], out c: f32[9, 7]) {
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}
kernel few(a: f8e4m3[5, l], b: f8e5m2[m, l], out c: f32[5, m]) {
	matmul c[i, j] = sum[k](f32(a[i, k]) * f32(b[j, k]));
}
// whole steps of terms, and a rest, that are copied
kernel large_steps(a: f8e4m3[130, 400], b: f8e4m3[264, 400], inout c: f32[130, 264], d: f8e5m2[130, 256], e: f8e5m2[136, 256],
	out f: f32[130, 136]) {
	one: matmul c[i, j] += sum[k](a[i, k] * b[j, k]);
	two: matmul f[i, j] = sum[k](d[i, k] * e[j, k]);
}
// brought through registers
kernel large(a: f8e4m3[130, l], b: f8e5m2[257, l], out c: f32[130, 257], d: f8e5m2[130, l], e: f8e4m3[l, 264],
	out f: f32[130, 264]) {
	one: matmul c[i, j] = sum[k](f32(a[i, k]) * f32(b[j, k]));
	two: matmul f[i, j] = sum[k](f32(d[i, k]) * f32(e[k, j]));
}
schedule large_steps for cuda sm_75 { one: tile 128 x 64; two: tile 128 x 64; }
schedule large for cuda sm_75 { one: tile 128 x 64; two: tile 128 x 64; }
schedule large_steps for cuda sm_80 { one: tile 256 x 64; two: tile 256 x 64; }
schedule large for cuda sm_80 { one: tile 256 x 64; two: tile 256 x 64; }
schedule large_steps for cuda sm_90a { one: tile 128 x 128; two: tile 128 x 128; }
schedule large for cuda sm_90a { one: tile 128 x 128; two: tile 128 x 128; }
