fn sum(x: f32) -> f32 = x;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
