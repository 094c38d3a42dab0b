kernel f(b: bool[n], x: f32[n], out y: f32[n]) {
	map y[i] = b[i] + x[i];
}
