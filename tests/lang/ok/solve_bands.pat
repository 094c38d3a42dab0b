// Pentadiagonal equations: two unknowns away on each side or on one, with and without those beside; systems along the last
// axis, the first and one between; boundaries, guards; lengths of one, two, odd and even; zero pivots, loops, layouts.
kernel penta_rows(a: f32[m, n], b: f32[m, n], c: f32[m, n], e: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-2] + b[s, i] * x[s, i-1]
		+ (abs(a[s, i]) + abs(b[s, i]) + abs(c[s, i]) + abs(e[s, i]) + 1) * x[s, i]
		+ c[s, i] * x[s, i+1] + e[s, i] * x[s, i+2] = d[s, i] boundary 0;
}
kernel penta_columns(a: f64[n, m], b: f64[n, m], c: f64[n, m], e: f64[n, m], d: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in a[i, s] * x[i-2, s] + b[i, s] * x[i-1, s]
		+ (abs(a[i, s]) + abs(b[i, s]) + abs(c[i, s]) + abs(e[i, s]) + 1) * x[i, s]
		+ c[i, s] * x[i+1, s] + e[i, s] * x[i+2, s] = d[i, s] boundary (0);
}
// the fourth difference, taken apart
kernel penta_beam(u: f64[n], r: f64, out x: f64[n]) {
	solve x[i] in x[i] + min(abs(r), 0.2) * (x[i-2] - 4 * x[i-1] + 6 * x[i] - 4 * x[i+1] + x[i+2]) = u[i] boundary 0;
}
kernel penta_ends(d: f32[m, n], left: f32[m], r: f64, out x: f32[m, n], out y: f32[m, n], out z: f64[m, n]) {
	solve x[s, i] in 8 * x[s, i] - x[s, i-2] - 2 * x[s, i-1] + x[s, i+1] - x[s, i+2] = d[s, i] boundary (left[s]);
	solve y[s, i] in (2 + abs(d[s, i])) * y[s, i]
		- 0.25 * (y[s, i-2] - y[s, i-1] + abs(d[s, i]) * y[s, i+1] - y[s, i+2]) = d[s, i] boundary clamp;
	solve z[s, i] in 5 * z[s, i] - z[s, i-2] + z[s, i+1] - z[s, i+2] = f64(d[s, i]) boundary r;
}
kernel penta_guards(d: f64[m, n], e: f32[n, m], out x: f64[m, n], out y: f32[n, m]) {
	solve x[s, i] in (i > 1 ? 0.25 * x[s, i-2] : 0) + x[s, i] + (i + 1 < n ? 0.25 * x[s, i+1] : 0)
		+ (i + 2 < n ? 0.125 * x[s, i+2] : 0) = d[s, i];
	solve y[i, s] in i < 2 || i >= n - 2 ? 2 * y[i, s] : y[i-2, s] + y[i-1, s] + 7 * y[i, s] + y[i+1, s] + y[i+2, s]
		= i < 2 ? 1 : e[i, s];
}
kernel penta_one_side(d: f32[m, n], e: f64[n, m], k: f32[n], out x: f32[m, n], out y: f32[m, n], out z: f64[n, m],
		out w: f64[n, m]) {
	solve x[s, i] in 0.5 * x[s, i-2] + x[s, i] = d[s, i] boundary 0;
	solve y[s, i] in (2 + 2 * abs(k[i])) * y[s, i] - k[i] * y[s, i+1] + k[i] * y[s, i+2] = d[s, i] + 1 boundary (1);
	solve z[i, s] in z[i, s] - 0.25 * z[i-1, s] + 0.5 * z[i-2, s] = e[i, s] boundary 0;
	solve w[i, s] in w[i, s] / 2 - 0.25 * w[i+2, s] = e[i, s] boundary clamp;
}
kernel penta_fused(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	let right: f32[m, n];
	map right[s, i] = d[s, i] * d[s, i] + 1;
	solve x[s, i] in 6 * x[s, i] + clamp(a[s, i], -1, 1) * x[s, i+2] - x[s, i-1] = right[s, i] boundary 0;
}
kernel penta_long(d: f32[9001], f: f32[5000, 2], out a: f32[9001], out c: f32[5000, 2]) {
	solve a[r] in 9 * a[r] - 3 * a[r-1] - 3 * a[r+1] + a[r-2] + a[r+2] = d[r] boundary 0;
	solve c[r, s] in 3 * c[r, s] + abs(d[r]) * (c[r, s] - c[r-2, s]) = f[r, s] boundary 0;
}
kernel penta_layouts(a: f32[m, n] layout col, d: f32[m, n] layout tiled(4, 8), out x: f32[m, n] layout col) {
	solve x[s, i] in a[s, i] * x[s, i-2] + (2 + 3 * abs(a[s, i])) * x[s, i] - a[s, i] * x[s, i+1] = d[s, i] boundary 0;
}
kernel penta_steps(inout u: f32[n, m], steps: i32) {
	let half: f32[n, m];
	repeat t < steps {
		solve half[i, j] in 5 * half[i, j] - half[i, j-2] - half[i, j-1] - half[i, j+1] - half[i, j+2] = u[i, j] boundary 0;
		solve u[i, j] in 5 * u[i, j] - u[i-2, j] - u[i-1, j] - u[i+1, j] - u[i+2, j] = half[i, j] boundary 0;
	}
}
// odd rows are greater, so that the two equations of a pair are exchanged
kernel penta_exchanged(d: f32[m, n], e: f64[n, m], f: f32[300, 33], g: f64[2, 700], out x: f32[m, n], out y: f64[n, m],
		out z: f32[300, 33], out w: f64[2, 700]) {
	solve x[s, i] in (i % 2 == 1 ? 10 : 1) * (4 * x[s, i] + 2 * x[s, i-1] - x[s, i+2]) = d[s, i] boundary 0;
	solve y[i, s] in (i % 4 == 1 ? 8 : 1) * (6 * y[i, s] + 2 * y[i-1, s] + y[i-2, s] - y[i+1, s] + y[i+2, s]) = e[i, s] boundary 0;
	solve z[i, s] in (i % 2 == 1 ? 10 : 1) * (4 * z[i, s] + 2 * z[i-1, s] - z[i+2, s]) = f[i, s] boundary 0;
	solve w[s, i] in (i % 4 == 3 ? 8 : 1) * (6 * w[s, i] + 2 * w[s, i-1] + w[s, i-2] - w[s, i+1] + w[s, i+2]) = g[s, i] boundary 0;
}
// the greatest coefficients are those of the other unknown of a pair
kernel penta_crossed(d: f32[m, n], e: f64[n, m], f: f32[257, 33], out x: f32[m, n], out y: f64[n, m], out z: f32[257, 33]) {
	solve x[s, i] in i % 2 == 0 ? 0.25 * x[s, i] + 4 * x[s, i+1] - 0.125 * x[s, i-2]
		: 5 * x[s, i-1] + 0.5 * x[s, i] + x[s, i+2] = d[s, i] boundary 0;
	solve y[i, s] in i % 2 == 0 ? (i + 1 < n ? 0 : 1) * y[i, s] + 4 * y[i+1, s] - 0.5 * y[i-2, s] : 5 * y[i-1, s] + y[i+2, s] = e[i, s]
		boundary 0;
	solve z[i, s] in i % 2 == 0 ? 0.25 * z[i, s] + 4 * z[i+1, s] - 0.125 * z[i-2, s]
		: 5 * z[i-1, s] + 0.5 * z[i, s] + z[i+2, s] = f[i, s] boundary 0;
}
// the first two rows of a system have the same own block with each order of elimination
kernel penta_zero(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in x[s, i-2] + b[s, i] * x[s, i-1] + (b[s, i] == 0 ? 0 : 4 + 2 * abs(b[s, i])) * x[s, i] + b[s, i] * x[s, i+1]
		+ x[s, i+2] = d[s, i] boundary 0;
}
kernel penta_third(d: f64[n, m], b: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in (s % 3 == 2 && i < 2 ? 0 : 6) * x[i, s] - (s % 3 == 2 && i < 2 ? 0 : 1) * (x[i-1, s] + x[i+1, s])
		- x[i-2, s] - x[i+2, s] = d[i, s] + 0 * b[i, s] boundary 0;
}
test five_diagonals {
	penta_rows(a = [[1, 1, 1, -1]], b = [[0, 1, 2, 1]], c = [[2, -1, 1, 3]], e = [[1, 1, 0, 0]], d = [[12, 12, 24, 25]])
		-> x = [[1, 2, 3, 4]] within 0.000001;
	penta_rows(a = [[1, 1], [1, 1]], b = [[0, 1], [0, 1]], c = [[2, -1], [2, -1]], e = [[1, 1], [1, 1]], d = [[9, 11], [18, 22]])
		-> x = [[1, 2], [2, 4]] within 0.000001;
	penta_columns(a = [[1]], b = [[0]], c = [[2]], e = [[1]], d = [[10]]) -> x = [[2]];
	penta_beam(u = [1, 2, 3, 4, 5], r = 0.125) -> x = [0.920854574, 2.00491977, 3.12771503, 4.12540169, 3.81242084] within 0.00000001;
	penta_beam(u = [7], r = 0.125) -> x = [4];
	penta_ends(d = [[1, 0, 2, 4], [1, 0, 2, 4]], left = [1, 0], r = 2)
		-> x = [[0.518570427, 0.2812427, 0.42980612, 0.642606868], [0.142256482, 0.0789535155, 0.217005373, 0.564120533]],
		y = [[0.278327833, -0.0913091309, 0.568756876, 0.730473047], [0.278327833, -0.0913091309, 0.568756876, 0.730473047]],
		z = [[0.666077739, 0.425795053, 0.756183746, 0.885159011], [0.666077739, 0.425795053, 0.756183746, 0.885159011]]
		within 0.000001;
	penta_guards(d = [[1, 2, 3, 4, 5]], e = [[9], [9], [3], [4], [5]])
		-> x = [[0.474706183, 1.26417987, 1.6739908, 2.53857946, 4.5815023]]
		within 0.00000001;
	penta_one_side(d = [[4, 2, 2, 1, 1]], e = [[1], [2], [3], [4], [5]], k = [1, -1, 0, 2, 1])
		-> x = [[4, 2, 0, 0, 1]], y = [[0.979166667, 0.416666667, 1.5, 0.166666667, 0.5]] within 0.000001;
	penta_one_side(d = [[1, 1, 1, 1]], e = [[1], [2], [3], [4]], k = [0, 0, 0, 0])
		-> y = [[1, 1, 1, 1]], z = [[1], [2.25], [3.0625], [3.640625]], w = [[9], [12], [14], [16]] within 0.000001;
	penta_exchanged(d = [[3, 50, 6, 60]], e = [[6], [64], [8], [9]], f = 0, g = 0) -> x = [[1, 1, 1, 1]], y = [[1], [1], [1], [1]] within 0.000001;
	penta_crossed(d = [[4.25, 6.5, 4.125, 5.5]], e = [[4], [6], [3.5], [5]], f = 0) -> x = [[1, 1, 1, 1]], y = [[1], [1], [1], [1]]
		within 0.000001;
	penta_steps(u = [[0, 0, 0, 0], [0, 25, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], steps = 0)
		-> u = [[0, 0, 0, 0], [0, 25, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]];
	penta_steps(u = [[25]], steps = 2) -> u = [[0.04]] within 0.000001;
}
test pairs_without_an_inverse {
	penta_zero(b = [[1, 1, 1, 1, 1]], d = [[8, 9, 10, 9, 8]]) -> x = [[1, 1, 1, 1, 1]] within 0.000001;
	penta_zero(b = [[1, 1, 1], [0, 0, 1], [1, 1, 1]], d = [[1, 1, 1], [1, 1, 1], [1, 1, 1]]) -> status pivot;
	penta_zero(b = [[0]], d = [[1]]) -> status pivot;
	penta_third(b = [[0, 0, 0], [0, 0, 0]], d = [[5, 10, 5], [5, 10, 5]]) -> status pivot;
	penta_third(b = [[0, 0], [0, 0]], d = [[5, 10], [5, 10]]) -> x = [[1, 2], [1, 2]] within 0.000001;
}
