fn g(x: f32) -> f32 {
	var h = 0.5 + 1;
	return x * f32(h);
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
