// Gauss and Seidel: in place, row after row
kernel seidel_2d(tsteps: i64, inout A: f64[n, n]) {
	repeat t < tsteps {
		wavefront A[i, j] = (A[i-1, j-1] + A[i-1, j] + A[i-1, j+1] + A[i, j-1] + A[i, j]
			+ A[i, j+1]
			+ A[i+1, j-1] + A[i+1, j] + A[i+1, j+1]) / 9 for i in 1..n-1, j in 1..n-1;
	}
}
