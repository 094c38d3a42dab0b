const A: f32 = 1;
fn g(x: f32) -> f32 {
	A = 2;
	return x;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
