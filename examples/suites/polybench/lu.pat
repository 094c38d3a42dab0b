// A = L U in place, without pivots; the ones on L's diagonal are not stored
kernel lu(inout A: f64[n, n]) {
	repeat k < n {
		map A[i, k] /= A[k, k] for i in k+1..n;
		map A[i, j] -= A[i, k] * A[k, j] for i in k+1..n, j in k+1..n;
	}
}
