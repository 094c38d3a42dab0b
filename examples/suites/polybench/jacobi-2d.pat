// Two buffers, each step from the other one, the border kept.
kernel jacobi_2d(tsteps: i64, inout A: f64[n, n], inout B: f64[n, n]) {
	repeat t < tsteps {
		stencil B[i, j] = 0.2 * (A[i, j] + A[i, j-1] + A[i, j+1] + A[i+1, j] + A[i-1, j])
			for i in 1..n-1, j in 1..n-1;
		stencil A[i, j] = 0.2 * (B[i, j] + B[i, j-1] + B[i, j+1] + B[i+1, j] + B[i-1, j])
			for i in 1..n-1, j in 1..n-1;
	}
}
