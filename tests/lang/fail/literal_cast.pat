kernel f(out y: u8[n]) {
	map y[i] = u8(300);
}
