kernel f(out y: double[n]) {
	map y[i] = 0;
}
