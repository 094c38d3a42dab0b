kernel f(x: f32[n], out y: i32[n]) {
	map y[i] = x[i];
}
