kernel f(x: f32[n], out y: f32[n], out z: f32[n > 0]) {
	map y[i] = x[i];
}
