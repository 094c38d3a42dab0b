// C = alpha A B + beta C, of A only the lower half is there
kernel symm(alpha: f64, beta: f64, inout C: f64[m, n], A: f64[m, m], B: f64[m, n]) {
	let S: f64[m, m];
	gather S[i, k] = k <= i ? A[i, k] : A[k, i];
	matmul C[i, j] = beta * C[i, j] + alpha * sum[k](S[i, k] * B[k, j]);
}
