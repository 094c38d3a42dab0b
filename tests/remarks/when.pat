kernel product(a: f32[n, k], b: f32[k, m], out c: f32[n, m]) {
	prod: matmul c[i, j] = sum[e](a[i, e] * b[e, j]);
}
schedule product for cuda {
	prod: tile 64 x 64 when n * m < 1048576;
	prod: tile 64 x 128;
}
