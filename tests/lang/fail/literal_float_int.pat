kernel f(x: u8[n], out y: u8[n], out b: bool[n]) {
	map y[i] = 0.5 * x[i];
	map b[i] = 0.5 < x[i];
	map b[i] = 0.5 * x[i];
	map y[i] = u8(0.5 * x[i] % 3);
}
