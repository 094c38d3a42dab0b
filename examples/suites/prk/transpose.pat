// B += A^T, then every cell of A grows by one
kernel transposed(iterations: i64, inout A: f64[order, order], inout B: f64[order, order]) {
	repeat t < iterations {
		transpose B[i, j] += A[j, i];
		map A[i, j] += 1;
	}
}
