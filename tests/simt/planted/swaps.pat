kernel swaps(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in (i % 2 == 1 ? 4 : clamp(a[s, i], -1, 1)) * x[s, i-1]
		+ (i + 1 == n && i % 2 == 0 ? 4 : clamp(a[s, i], -1, 1) / 4) * x[s, i]
		+ (i % 2 == 0 ? 4 : 0.5) * x[s, i+1] = d[s, i] boundary 0 pivot;
}
// without exchanges, which only short systems have bounds for; then of those that exchanges keep from a zero pivot
kernel chunks(e: f64[4099], f: f32[700, 3], d: f64[2, 1025], out y: f64[4099], out z: f32[700, 3], out w: f64[2, 1025]) {
	solve y[i] in (i % 4 == 0 || i % 4 == 3 ? 9 : 1) * (4 * y[i] - y[i-1] + y[i+1]) = e[i] boundary (2) pivot;
	solve z[i, s] in 2 * z[i-1, s] + 5 * z[i, s] + z[i+1, s] = f[i, s] boundary 0 pivot;
	solve w[s, i] in (s == 1 && i == 1 ? 0 : 1) * w[s, i-1] + (i == 0 && s == 1 ? 0 : 4) * w[s, i] + w[s, i+1] = d[s, i]
		boundary 0 pivot;
}
