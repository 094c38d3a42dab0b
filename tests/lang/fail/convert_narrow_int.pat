kernel f(x: i64[n], out y: i32[n]) {
	map y[i] = x[i];
}
