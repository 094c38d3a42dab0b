kernel f(scales: f32, x: f32[n], out y: f32[n]) {
	map y[i] = scale * x[i];
}
