fn g(x: f32) -> f32 {
	let h = x;
	h += 1;
	return h;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
