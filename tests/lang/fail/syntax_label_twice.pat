kernel f(x: f32[n], out y: f32[n]) {
	a: b: map y[i] = x[i];
}
