fn h(a: f32, b: f32) -> f32 = a + b;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = h(x[i]);
}
