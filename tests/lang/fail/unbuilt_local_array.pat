fn g(x: f32) -> f32 {
	var a: f32[4];
	return x;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
