kernel f(x: f32[n], out y: f32[n], z: f32[n % 2]) {
	map y[i] = 1;
}
