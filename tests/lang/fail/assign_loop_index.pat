fn g(x: f32) -> f32 {
	for k in 0..3 { k = 2; }
	return x;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
