kernel f(out y: f32[n]) {
	map y[i] = 1, y[i+1] = 2 for i in 0..n-1;
}
