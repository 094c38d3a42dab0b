kernel swaps(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in (i % 2 == 1 ? 4 : clamp(a[s, i], -1, 1)) * x[s, i-1]
		+ (i + 1 == n && i % 2 == 0 ? 4 : clamp(a[s, i], -1, 1) / 4) * x[s, i]
		+ (i % 2 == 0 ? 4 : 0.5) * x[s, i+1] = d[s, i] boundary 0 pivot;
}
// rows of one thread
kernel swaps_down(a: f64[200, m], d: f64[200, m], out x: f64[200, m]) {
	solve x[i, s] in (i % 2 == 1 ? 4 : clamp(a[i, s], -1, 1)) * x[i-1, s] + clamp(a[i, s], -1, 1) / 4 * x[i, s]
		+ (i % 2 == 0 ? 4 : 0.5) * x[i+1, s] = d[i, s] boundary 0 pivot;
}
// parts without exchanges, which only short systems have bounds for; then of those that exchanges keep from a zero pivot
kernel parts(e: f64[4099], f: f32[700, 3], d: f64[2, 2050], out y: f64[4099], out z: f32[700, 3], out w: f64[2, 2050]) {
	solve y[i] in (i % 4 == 0 || i % 4 == 3 ? 9 : 1) * (4 * y[i] - y[i-1] + y[i+1]) = e[i] boundary (2) pivot;
	solve z[i, s] in 2 * z[i-1, s] + 5 * z[i, s] + z[i+1, s] = f[i, s] boundary 0 pivot;
	solve w[s, i] in (s == 1 && i == 1 ? 0 : 1) * w[s, i-1] + (i == 0 && s == 1 ? 0 : 4) * w[s, i] + w[s, i+1] = d[s, i]
		boundary 0 pivot;
}
