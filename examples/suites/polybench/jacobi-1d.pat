// Two buffers, each step from the other one, the ends kept
kernel jacobi_1d(tsteps: i64, inout A: f64[n], inout B: f64[n]) {
	repeat t < tsteps {
		stencil B[i] = 0.33333 * (A[i-1] + A[i] + A[i+1]) for i in 1..n-1;
		stencil A[i] = 0.33333 * (B[i-1] + B[i] + B[i+1]) for i in 1..n-1;
	}
}
