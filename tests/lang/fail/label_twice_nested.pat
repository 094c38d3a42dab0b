kernel f(out y: f32[n]) {
	a: map y[i] = 1;
	repeat t < 3 { a: map y[i] = 2; }
}
