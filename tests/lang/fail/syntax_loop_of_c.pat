kernel a(x: f32[n], out y: f32[n]) {
	for (int i = 0; i < n; i++) {
		y[i] = x[i];
	}
}
kernel b(x: f32[n], out y: f32[n]) {
	for (int i = 1; i <= n - 1; ++i)
		y[i] = x[i];
	map y[i] = x[i];
}
kernel c(x: f32[n], out y: f32[n]) {
	for i in 0..n { map y[i] = x[i]; }
}
kernel d(x: f32[n], out y: f32[n]) { for (;;) { map y[i] = x[i]; } }
fn g(x: f32) -> f32 {
	var s: f32 = 0;
	for (int i = 0; i < 4; i++) { s += x; }
	for (int64_t k = 2; k <= 8 * (3 + 1); k += 1) {
		for (k = 0; k < 4; k += 2) { s *= x; }
		if (s > 100) return s;
	}
	for (int i = 0; j < 4; i++) s += x;
	if s > 1 s = 2; else s = 3;
	return s;
}
