// L x = b, forwards: each x, once known, leaves all equations below
kernel trisolv(L: f64[n, n], out x: f64[n], b: f64[n]) {
	map x[i] = b[i];
	repeat k < n {
		map x[k] /= L[k, k];
		map x[i] -= L[i, k] * x[k] for i in k+1..n;
	}
}
