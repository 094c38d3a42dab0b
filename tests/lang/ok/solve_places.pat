// Solves among other statements: temporaries, swaps, folds as coefficients, layouts, unknowns that are solved for twice.
kernel solved_then(d: f32[m, n], out x: f32[m, n], out s: f32) {
	let t: f32[m, n];
	solve t[i, j] in 4 * t[i, j] - t[i, j-1] = d[i, j] boundary 0;
	map x[i, j] = 2 * t[i, j];
	reduce s = sum[i, j](t[i, j]);
}
kernel solved_swapped(inout x: f32[n], k: i32) {
	let y: f32[n];
	repeat t < k {
		solve y[i] in 4 * y[i] - y[i-1] = x[i] boundary 0;
		swap x, y;
	}
}
kernel solved_folds(d: f32[n], e: f32[n, n], out x: f32[n]) {
	solve x[i] in 4 * x[i] - sum[j](abs(e[i, j])) * x[i-1] = sum[j](e[i, j] * d[j]) boundary 0;
}
struct Pair2 { a, b: f32 }
kernel solved_layouts(p: Pair2[n] layout soa, d: f32[k, n] layout col, out x: f32[k, n] layout tiled(4, 8)) {
	solve x[i, j] in (4 + abs(p[j].a)) * x[i, j] - p[j].a * x[i, j-1] = d[i, j] * p[j].b boundary 0;
}
kernel solved_twice(d: f32[n, m], out x: f32[n, m], out y: f32[n, m]) {
	solve x[i, j] in -4 * x[i, j] + x[i, j-1] = d[i, j] boundary 0;
	map y[i, j] = x[i, j];
	solve x[i, j] in -4 * x[i, j] + x[i+1, j] = d[i, j] + y[i, j] boundary 0;
}
kernel solved_middle(d: f32[3, n, 5], out x: f32[3, n, 5]) {
	solve x[a, i, b] in 4 * x[a, i, b] + x[a, i-1, b] - x[a, i+1, b] = d[a, i, b] boundary 0;
}
