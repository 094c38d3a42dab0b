// The lower half of C = alpha A A^T + beta C
kernel syrk(alpha: f64, beta: f64, inout C: f64[n, n], A: f64[n, m]) {
	matmul C[i, j] = beta * C[i, j] + alpha * sum[k](A[i, k] * A[j, k])
		for i in 0..n, j in 0..i+1;
}
