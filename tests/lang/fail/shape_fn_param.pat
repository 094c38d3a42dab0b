fn g(x: f32[3]) -> f32 = 1;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
