kernel f(out y: u32[n]) {
	map y[i] = -1;
}
