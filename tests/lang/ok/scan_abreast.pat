// Recurrences of so many chunks or rows that a thread of a CPU runs several at once, sums by fours,
// and products of weights that leave the floats.
kernel abreast_each(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = b[i] * y[i-1] + x[i]; }
kernel abreast_right(x: f32[n, m], b: f32[m], s: f32[n], out y: f32[n, m]) {
	scan y[i, j] = b[j] * y[i, j+1] + x[i, j] from s[i];
}
kernel abreast_second(x: f64[n, m], out y: f64[n, m]) {
	scan y[i, j] = 0.5 * y[i, j-1] - 0.3 * y[i, j-2] + x[i, j] for j in 3..m;
}
kernel abreast_best(x: i32[n, m], out y: i64[n, m]) { scan y[i, j] = max(y[i, j-1] - 5, i64(x[i, j])) from 0; }
kernel abreast_strict(x: f32[n, m], out y: f32[n, m]) { scan y[i, j] = 0.9 * y[i, j-1] + x[i, j] strict; }
kernel abreast_fours(x: i32[n], out y: i64[n], out z: i64[n]) {
	scan y[i] = sum(i64(x[i])), z[i] = sum(i64(x[i])) + 2 * count(x[i] > 3) exclusive from right;
}
kernel abreast_large(out y: f32[n], out bad: i64) {
	let b: f32[n];
	let x: f32[n];
	map b[i] = 1e30;
	map x[i] = i < n - 1 ? 0 : 1;
	scan y[i] = b[i] * y[i-1] + x[i];
	reduce bad = count[i](y[i] != x[i]);
}

test rows {
	abreast_right(x = random, b = random, s = random, n = 37, m = 1003);
	abreast_second(x = random, n = 33, m = 1001);
	abreast_best(x = random, n = 35, m = 1002);
	abreast_strict(x = random, n = 34, m = 1000);
}
test sequences {
	abreast_each(x = random, b = random, n = 280000);
	abreast_fours(x = random, n = 35003);
	abreast_large(n = 280000) -> bad = 0;
}
