const W: f32[3] = [1, 2, 1];
fn g(x: f32) -> f32 = x * W[3];
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
