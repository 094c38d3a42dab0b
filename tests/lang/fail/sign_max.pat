kernel f(a: u8[n], b: i8[n], out y: i32[n]) {
	map y[i] = max(a[i], b[i]);
}
