// C += A B, again and again
kernel dgemm(iterations: i64, A: f64[order, order], B: f64[order, order],
             inout C: f64[order, order]) {
	repeat t < iterations {
		matmul C[i, j] = C[i, j] + sum[k](A[i, k] * B[k, j]);
	}
}
