const W: f32[0] = [1];
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = W[0] * x[i];
}
