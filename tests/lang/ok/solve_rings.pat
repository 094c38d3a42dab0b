// Rings, whose last unknown is beside the first: of one cell and two, of any length, along any axis, of each way; bidiagonal
// ones; conditions as coefficients; with a zero pivot.
kernel ring_rows(a: f32[m, n], c: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + (abs(a[s, i]) + abs(c[s, i]) + 1) * x[s, i] + c[s, i] * x[s, i+1] = d[s, i]
		boundary wrap;
}
kernel ring_columns(a: f64[n, m], c: f64[n, m], d: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + (abs(a[i, s]) + abs(c[i, s]) + 1) * x[i, s] + c[i, s] * x[i+1, s] = d[i, s]
		boundary (wrap);
}
kernel ring_heat(u: f64[n], r: f64, out x: f64[n]) {
	solve x[i] in x[i] - abs(r) * (x[i-1] - 2 * x[i] + x[i+1]) = u[i] boundary wrap;
}
kernel ring_one_side(d: f32[m, n], out x: f32[m, n], out y: f32[m, n]) {
	solve x[s, i] in (i % 3 == 1 ? 0.5 : 0) * x[s, i-1] + x[s, i] = d[s, i] boundary wrap;
	solve y[s, i] in y[s, i] / 2 - 0.25 * y[s, i+1] = d[s, i] + 1 boundary wrap;
}
kernel ring_middle(d: f32[3, n, 5], out x: f32[3, n, 5]) {
	solve x[a, i, b] in 4 * x[a, i, b] + x[a, i-1, b] - x[a, i+1, b] = d[a, i, b] boundary wrap;
}
kernel ring_layouts(d: f32[k, n] layout col, out x: f32[k, n] layout tiled(4, 8)) {
	solve x[i, j] in 4 * x[i, j] - x[i, j-1] + x[i, j+1] = d[i, j] boundary wrap;
}
kernel ring_long(d: f32[9001], e: f64[2, 6144], f: f32[5000, 2], g: f64[129, 2048], out a: f32[9001], out b: f64[2, 6144],
		out c: f32[5000, 2], out h: f64[129, 2048]) {
	solve a[r] in 3 * a[r] - a[r-1] - a[r+1] = d[r] boundary wrap;
	solve b[s, r] in b[s, r-1] + b[s, r+1] + 2.25 * b[s, r] = e[s, r] boundary wrap;
	solve c[r, s] in 3 * c[r, s] + abs(d[r]) * (c[r, s] - c[r-1, s]) = f[r, s] boundary wrap;
	solve h[r, s] in h[r-1, s] - h[r+1, s] + 3 * h[r, s] = g[r, s] boundary wrap;
}
kernel ring_wide(d: f32[70, 300], e: f32[3, 1000], f: f32[2, 4096], g: f32[200, 35], out x: f32[70, 300], out y: f32[3, 1000],
		out z: f32[2, 4096], out w: f32[200, 35]) {
	solve x[s, r] in 3 * x[s, r] - x[s, r-1] - x[s, r+1] = d[s, r] boundary wrap;
	solve y[s, r] in 3 * y[s, r] - y[s, r-1] - y[s, r+1] = e[s, r] boundary wrap;
	solve z[s, r] in 3 * z[s, r] - z[s, r-1] - z[s, r+1] = f[s, r] boundary wrap;
	solve w[r, s] in 3 * w[r, s] - w[r-1, s] - w[r+1, s] = g[r, s] boundary wrap;
}
kernel ring_steps(inout u: f32[n, m], r: f32, steps: i32) {
	let half: f32[n, m];
	repeat t < steps {
		solve half[i, j] in (1 + 2 * abs(r)) * half[i, j] - abs(r) * (half[i, j-1] + half[i, j+1]) = 0.5 * u[i, j] boundary wrap;
		solve u[i, j] in (1 + 2 * abs(r)) * u[i, j] - abs(r) * (u[i-1, j] + u[i+1, j]) = half[i, j] boundary wrap;
	}
}
kernel ring_zero(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in x[s, i-1] + b[s, i] * x[s, i] + x[s, i+1] = d[s, i] boundary wrap;
}
test rings {
	ring_rows(a = [[1, 1, 1]], c = [[1, 1, 1]], d = [[5, 10, 5]]) -> x = [[0.5, 3, 0.5]] within 0.000001;
	ring_heat(u = [2, 0, 2, 0], r = 0.5) -> x = [1.333333333333, 0.666666666667, 1.333333333333, 0.666666666667] within 0.000001;
	ring_heat(u = [3], r = 7) -> x = [3];
	ring_heat(u = [3, 7], r = 1) -> x = [4.6, 5.4] within 0.000001;
	ring_one_side(d = [[4]]) -> x = [[4]], y = [[20]];
	ring_zero(b = [[4, 4, 4], [0, 4, 4], [4, 4, 4]], d = [[6, 6, 6], [1, 1, 1], [12, 12, 12]]) -> status pivot;
	ring_zero(b = [[4, 4, 4], [4, 4, 4]], d = [[6, 6, 6], [12, 12, 12]]) -> x = [[1, 1, 1], [2, 2, 2]] within 0.000001;
}
