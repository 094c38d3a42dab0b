kernel f(x: f32[n], out y: f32[n], out z: f32[4000000000, 4000000000]) {
	map y[i] = x[i];
}
