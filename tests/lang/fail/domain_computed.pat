kernel f(x: f32[n], out y: f32[n]) {
	map y[i+j] = 1 for i in 0..n;
}
