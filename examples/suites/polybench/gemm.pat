// C = alpha A B + beta C
kernel gemm(alpha: f64, beta: f64, inout C: f64[ni, nj], A: f64[ni, nk], B: f64[nk, nj]) {
	matmul C[i, j] = alpha * sum[k](A[i, k] * B[k, j]) + beta * C[i, j];
}
