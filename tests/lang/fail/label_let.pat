kernel f(out y: f32[n]) {
	a: let s: f32;
	map y[i] = s;
}
