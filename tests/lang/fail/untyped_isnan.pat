kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = isnan(0.0) ? x[i] : 0;
}
