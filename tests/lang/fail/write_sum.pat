kernel f(out y: f32[n]) {
	map y[i + j] = 1 for i in 0..2, j in 0..n-1;
}
