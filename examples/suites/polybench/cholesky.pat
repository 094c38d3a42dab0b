// A = L L^T: the lower half of A becomes L, column by column
kernel cholesky(inout A: f64[n, n]) {
	repeat k < n {
		map A[k, k] = sqrt(A[k, k]);
		map A[i, k] /= A[k, k] for i in k+1..n;
		map A[i, j] -= A[i, k] * A[j, k] for i in k+1..n, j in k+1..i+1;
	}
}
