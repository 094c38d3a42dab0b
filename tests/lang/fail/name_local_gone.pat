fn g(x: f32) -> f32 {
	if x > 0 { let h = x; }
	return h;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
