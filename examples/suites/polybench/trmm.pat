// B = alpha A^T B, A lower triangular with ones on its diagonal, which are not stored
kernel trmm(alpha: f64, A: f64[m, m], inout B: f64[m, n]) {
	let P: f64[m, n];
	matmul P[i, j] = sum[k in i+1..m](A[k, i] * B[k, j]);
	map B[i, j] = alpha * (B[i, j] + P[i, j]);
}
