const a: f32 = 1;
kernel f(a: f32, x: f32[n], out y: f32[n]) {
	map y[i] = a * x[i];
}
