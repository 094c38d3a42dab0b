kernel f(a: i32[n], b: u32[n], out y: bool[n]) {
	map y[i] = a[i] < b[i];
}
