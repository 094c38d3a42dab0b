kernel f(x: u8[n], out y: u8[n]) {
	map y[i] = x[i] + 256;
}
