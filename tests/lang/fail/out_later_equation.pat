kernel f(x: f32[n], out y: f32[n], out z: f32[n]) {
	map y[i] = z[i], z[i] = x[i];
}
