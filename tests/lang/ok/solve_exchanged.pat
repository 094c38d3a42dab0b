// Systems whose equations must be exchanged (pivot): no diagonal at all, small and zero coefficients, of any length, along
// any axis; boundaries and guards; those that are singular.
kernel exchanged_rows(a: f32[m, n], b: f32[m, n], c: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + b[s, i] * x[s, i] + c[s, i] * x[s, i+1] = d[s, i] boundary 0 pivot;
}
kernel exchanged_columns(a: f64[n, m], b: f64[n, m], c: f64[n, m], d: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + b[i, s] * x[i, s] + c[i, s] * x[i+1, s] = d[i, s] boundary 0 pivot;
}
kernel exchanged_each(d: f64[m, n], out x: f64[m, n]) {
	solve x[s, i] in x[s, i-1] + (i % 2 == 0 ? 0 : 3) * x[s, i] + (i % 3 == 1 ? 2 : 0.5) * x[s, i+1] = d[s, i] boundary 0 pivot;
}
kernel exchanged_ends(d: f32[m, 30], left: f32[m], out x: f32[m, 30], out y: f32[m, 30]) {
	solve x[s, i] in 2 * x[s, i-1] + x[s, i] + x[s, i+1] = d[s, i] boundary (left[s]) pivot;
	solve y[s, i] in 3 * y[s, i-1] + y[s, i] - y[s, i+1] = d[s, i] boundary clamp pivot;
}
kernel exchanged_guards(d: f64[n, 2], out x: f64[n, 2]) {
	solve x[i, s] in (i > 0 ? 4 * x[i-1, s] : 0) + x[i, s] + (i + 1 < n ? x[i+1, s] : 0) = d[i, s] pivot;
}
kernel exchanged_lower(d: f32[m, 40], out x: f32[m, 40]) {
	solve x[s, i] in 0.5 * x[s, i-1] + x[s, i] = d[s, i] boundary 0 pivot;
}
kernel exchanged_middle(d: f32[3, 20, 5], out x: f32[3, 20, 5]) {
	solve x[a, i, b] in x[a, i, b] + 3 * x[a, i-1, b] - x[a, i+1, b] = d[a, i, b] boundary 0 pivot;
}
kernel exchanged_long(d: f64[9001], e: f32[3, 300], out x: f64[9001], out y: f32[3, 300]) {
	solve x[i] in x[i-1] + (i == 4 ? 0 : 0.125) * x[i] + x[i+1] = d[i] boundary 0 pivot;
	solve y[s, i] in y[s, i-1] + 3 * y[s, i] + y[s, i+1] = e[s, i] boundary 0 pivot;
}
// parts: along and across, the last one of one row, of three rows, or of most rows
kernel exchanged_parts(d: f64[2, 1025], e: f32[700, 3], f: f64[4099], out x: f64[2, 1025], out y: f32[700, 3], out z: f64[4099],
		out w: f64[2, 1025]) {
	solve x[s, i] in x[s, i-1] + 4 * x[s, i] - x[s, i+1] = d[s, i] boundary 0 pivot;
	solve y[i, s] in 2 * y[i-1, s] + 5 * y[i, s] + y[i+1, s] = e[i, s] boundary 0 pivot;
	solve z[i] in -z[i-1] + 3 * z[i] + z[i+1] = f[i] boundary (2) pivot;
	solve w[s, i] in (s == 1 && i == 1 ? 0 : 1) * w[s, i-1] + (i == 0 ? (s == 1 ? 0 : 4) : 4) * w[s, i] + w[s, i+1] = d[s, i]
		boundary 0 pivot;
}
kernel exchanged_steps(inout u: f32[n, m], steps: i32) {
	let half: f32[n, m];
	repeat t < steps {
		solve half[i, j] in 3 * half[i, j] - half[i, j-1] - half[i, j+1] = 0.5 * u[i, j] boundary 0 pivot;
		solve u[i, j] in 3 * u[i, j] - u[i-1, j] - u[i+1, j] = half[i, j] boundary 0 pivot;
	}
}
test exchanges {
	exchanged_rows(a = [[1, 1]], b = [[0, 0]], c = [[1, 1]], d = [[7, 5]]) -> x = [[5, 7]];
	exchanged_rows(a = [[1, 1, 4]], b = [[0, 0, 2]], c = [[1, 2, 1]], d = [[2, 7, 14]]) -> x = [[1, 2, 3]];
	exchanged_rows(a = [[1, 0], [1, 1]], b = [[0, 1], [2, 2]], c = [[1, 1], [1, 1]], d = [[7, 5], [3, 3]]) -> status pivot;
	exchanged_rows(a = [[9]], b = [[0]], c = [[9]], d = [[7]]) -> status pivot;
	exchanged_rows(a = [[9]], b = [[2]], c = [[9]], d = [[7]]) -> x = [[3.5]];
	exchanged_columns(a = [[1], [1], [1]], b = [[0.000000000000000001], [1], [1]], c = [[1], [1], [1]], d = [[2], [6], [4]])
		-> x = [[2], [2], [2]] within 0.000001;
}
