kernel f(a: f32[n, m], out y: f32[n]) {
	map y[i] = a[i];
}
