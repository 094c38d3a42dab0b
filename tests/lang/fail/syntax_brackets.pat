kernel f(x: f32[n, m], out y: f32[n, m]) {
	map y[i, j] = x[i][j];
}
