// café, über
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];   // ä
}
