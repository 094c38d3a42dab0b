// The lower half of C = alpha (A B^T + B A^T) + beta C
kernel syr2k(alpha: f64, beta: f64, inout C: f64[n, n], A: f64[n, m], B: f64[n, m]) {
	matmul C[i, j] = beta * C[i, j] + alpha * sum[k](A[j, k] * B[i, k] + B[j, k] * A[i, k])
		for i in 0..n, j in 0..i+1;
}
