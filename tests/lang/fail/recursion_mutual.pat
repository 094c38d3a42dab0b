fn a(x: f32) -> f32 = b(x);
fn b(x: f32) -> f32 = a(x);
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = a(x[i]);
}
