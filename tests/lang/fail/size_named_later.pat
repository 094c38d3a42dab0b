kernel f(x: f32[n], out y: f32[n], n: i32) {
	map y[i] = x[i];
}
