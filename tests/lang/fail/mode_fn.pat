fn g(out x: f32) -> f32 = 1;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
