kernel f(x: f16[n], b: bf16[n], out y: f32[n]) {
	map y[i] = x[i] * b[i];
}
