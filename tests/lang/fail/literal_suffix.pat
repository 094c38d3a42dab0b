kernel f(out y: i8[n]) {
	map y[i] = 128i8;
}
