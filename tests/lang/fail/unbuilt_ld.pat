kernel f(out y: f32[n, m] layout row(ld)) {
	map y[i, j] = 1;
}
