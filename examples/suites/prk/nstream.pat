// The triad, again and again: A += B + scalar C
kernel nstream(iterations: i64, scalar: f64, inout A: f64[length], B: f64[length], C: f64[length]) {
	repeat t < iterations {
		map A[i] += B[i] + scalar * C[i];
	}
}
