op h(a: f32, b: f32) -> f64 = a associative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
