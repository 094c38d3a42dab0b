fn g(x: f32) -> f32 {
	let h = x;
	if x > 0 { let h = 2 * x; return h; }
	return h;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
