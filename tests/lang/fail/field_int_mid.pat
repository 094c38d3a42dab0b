kernel f(out y: i32[n]) {
	map y[i] = i32.mid;
}
