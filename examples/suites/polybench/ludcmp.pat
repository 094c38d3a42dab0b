// A x = b: A = L U in place, then L y = b and U x = y
kernel ludcmp(inout A: f64[n, n], b: f64[n], out x: f64[n], out y: f64[n]) {
	let rest: f64[n];
	repeat k < n {
		map A[i, k] /= A[k, k] for i in k+1..n;
		map A[i, j] -= A[i, k] * A[k, j] for i in k+1..n, j in k+1..n;
	}
	map y[i] = b[i];
	repeat k < n {
		map y[i] -= A[i, k] * y[k] for i in k+1..n;
	}
	map rest[i] = y[i];
	repeat k < n {
		map x[n-1-k] = rest[n-1-k] / A[n-1-k, n-1-k];
		map rest[i] -= A[i, n-1-k] * x[n-1-k] for i in 0..n-1-k;
	}
}
