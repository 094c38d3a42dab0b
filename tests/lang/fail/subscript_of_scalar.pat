kernel f(a: f32, out y: f32[n]) {
	map y[i] = a[i];
}
