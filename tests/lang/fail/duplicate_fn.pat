fn g(x: f32) -> f32 = x;
fn g(x: f32) -> f32 = 2 * x;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
