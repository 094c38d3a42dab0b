// Zero pivots are recorded, whichever way solves the systems: tridiagonal ones of some threads, of parts, of one thread and
// of a CPU; dense ones; with statements beside them, in loops.
kernel pivot_rows(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in x[s, i-1] + (b[s, i] == 0 ? 0 : 4 + abs(b[s, i])) * x[s, i] + x[s, i+1] = d[s, i] boundary 0;
}
kernel pivot_columns(b: f64[n, m], d: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in x[i-1, s] + (b[i, s] == 0 ? 0 : 4 + abs(b[i, s])) * x[i, s] + x[i+1, s] = d[i, s] boundary 0;
}
// every third system has a first row without its own unknown
kernel pivot_third(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in (s % 3 == 2 && i == 0 ? 0 : 4) * x[s, i] - x[s, i-1] - x[s, i+1] = d[s, i] + 0 * b[s, i] boundary 0;
}
kernel pivot_parts(d: f32[2, 9001], e: f64[2100, 130], out x: f32[2, 9001], out y: f64[2100, 130], out z: f32[9001]) {
	solve x[s, i] in (s == 1 && i == 0 ? 0 : 4) * x[s, i] - x[s, i-1] - x[s, i+1] = d[s, i] boundary 0;
	solve y[s, i] in (s == 77 && i == 0 ? 0 : 4) * y[s, i] - y[s, i-1] - y[s, i+1] = e[s, i] boundary 0;
	solve z[i] in 4 * z[i] - z[i-1] - z[i+1] = d[1, i] boundary 0;
}
kernel pivot_across(d: f64[130, 2100], out x: f64[130, 2100]) {
	solve x[i, s] in (s == 2001 && i == 0 ? 0 : 4) * x[i, s] - x[i-1, s] - x[i+1, s] = d[i, s] boundary 0;
}
kernel pivot_dense(a: f32[m, 3, 3], d: f32[m, 3], out x: f32[m, 3]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel pivot_lanes(a: f64[m, 9, 9], d: f64[m, 9], out x: f64[m, 9]) {
	solve x[k, i] in sum[j]((k == 1 && j == 0 ? 0 : (i == j ? 9 : 0) + clamp(a[k, i, j], -1, 1)) * x[k, j]) = d[k, i];
}
kernel pivot_positive(a: f64[m, 2, 2], d: f64[m, 2], out x: f64[m, 2]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] symmetric positive;
}
kernel pivot_steps(b: f32[n, m], inout x: f32[n, m], steps: i32) {
	let y: f32[n, m];
	repeat t < steps {
		solve y[i, s] in 4 * y[i, s] + y[i-1, s] + y[i+1, s] = x[i, s] boundary 0;
		solve x[i, s] in (b[i, s] == 0 ? 0 : 4) * x[i, s] + x[i-1, s] = y[i, s] boundary 0;
	}
}
kernel pivot_reads(c: i32[n], d: f32[n], out x: f32[n], out y: f32[n]) {
	solve x[i] in (i == 0 && d[i] == 7 ? 0 : 4) * x[i] + x[i-1] = d[i] boundary 0;
	gather y[i] = d[c[i]];
}
test zero_pivots {
	pivot_rows(b = [[1, 1], [0, 1]], d = [[5, 5], [1, 1]]) -> status pivot;
	pivot_rows(b = [[1, 1], [1, 1]], d = [[6, 6], [12, 12]]) -> x = [[1, 1], [2, 2]];
	pivot_columns(b = [[1, 0], [1, 1]], d = [[6, 1], [6, 1]]) -> status pivot;
	pivot_third(b = [[0], [0], [0]], d = [[4], [8], [1]]) -> status pivot;
	pivot_dense(a = [[[0, 1, 2], [0, 3, 4], [0, 1, 1]], [[2, 0, 0], [0, 0, 4], [0, 1, 0]]], d = [[1, 1, 1], [2, 4, 1]]) -> status pivot;
	pivot_dense(a = [[[2, 0, 0], [0, 0, 4], [0, 1, 0]]], d = [[2, 4, 1]]) -> x = [[1, 1, 1]];
	pivot_positive(a = [[[4, 0], [2, 2]], [[-1, 0], [0, 1]]], d = [[8, 5], [1, 1]]) -> status pivot;
	pivot_steps(b = [[1, 0], [1, 1]], x = [[1, 2], [1, 2]], steps = 2) -> status pivot;
	pivot_reads(c = [0, 1], d = [7, 1]) -> y = [7, 1] status pivot;
	pivot_reads(c = [5, 1], d = [7, 1]) -> status pivot;
	pivot_reads(c = [5, 1], d = [4, 5], y = 3) -> y = [3, 5], x = [1, 1] status index;
}
