kernel f(a: u64[n], b: i64[n], out y: i64[n]) {
	map y[i] = a[i] + b[i];
}
