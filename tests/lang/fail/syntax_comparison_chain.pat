kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 0 < x[i] < 1 ? 1 : 0;
	map y[i] = a == b == c;
}
