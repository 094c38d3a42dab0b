op mid(a: f32, b: f32) -> f32 = 0.5 * (a + b) associative, commutative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];
}
