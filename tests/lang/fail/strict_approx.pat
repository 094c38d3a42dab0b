kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = exp(x[i]) strict approx;
}
