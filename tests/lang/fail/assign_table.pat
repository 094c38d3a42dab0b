const A: f32[2] = [1, 2];
fn g(x: f32) -> f32 {
	A[0] = 2;
	return x;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
