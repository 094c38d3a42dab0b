// products.pat - products by packed panels: more terms than a slab has, more rows than a block, a batch, ragged edges, and
// what panels do not pay for.
kernel slabs(A: f32[29, 600], B: f32[600, 71], inout C: f32[29, 71], s: i8[n, 530], t: i8[40, 530], out p: i32[n, 40]) {
	matmul C[i, j] = 2 * sum[k](A[i, k] * B[k, j]) - C[i, j] where i != j;
	matmul p[i, j] = sum[k](i32(s[i, k]) * i32(t[j, k]));
}
kernel tall(A: f64[3, 1950], B: f64[3, 19], inout C: f64[1950, 19] layout col) {
	matmul C[i, j] += sum[k](A[k, i] * B[k, j]) for i in 2..1949, j in 1..19;
}
kernel batch(a: f16[s, n, 17], b: f32[17, 36], q: f32[s], reach: bool[n, 40], way: bool[40, 33], out c: f32[s, n, 36], out open: bool[n, 33]) {
	let u: f32[s, n, 17];
	let p: f32[s, n, 36];
	map u[h, i, k] = q[h] * f32(a[h, i, k]);
	matmul p[h, i, j] = sum[k](u[h, i, k] * b[k, j]) strict;
	map c[h, i, j] = max(p[h, i, j], 0);
	matmul open[i, j] = any[k](reach[i, k] && way[k, j]);
}
kernel paths(D: i32[45, 45], out E: i32[45, 45], x: f32[30, 300], y: f32[33, 300], out d: f32[30, 33]) {
	matmul E[i, j] = min(D[i, j], min[k](D[i, k] + D[k, j]));
	matmul d[i, j] = sqrt(sum[k in 3..300]((x[i, k] - y[j, k]) * (x[i, k] - y[j, k])));
}
