fn g(x: f32) -> f32 {
	while x > 0 { break; continue; }
	return x;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
