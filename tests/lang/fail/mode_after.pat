kernel f(x: f32[n] aligned, out y: f32[n]) {
	map y[i] = x[i];
}
