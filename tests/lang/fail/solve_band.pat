kernel bands(b: f64[n], d: f64[n], out x: f64[n]) {
	solve x[i] in x[i-2] + 4 * x[i] + x[i+1] = d[i] boundary wrap;
	solve x[i] in x[i-2] + 4 * x[i] + x[i+2] = d[i] boundary 0 pivot;
	solve x[i] in x[i-2] + 4 * x[i] + x[i+2] = d[i] boundary wrap pivot;
	solve x[i] in x[i-2] + 4 * x[i] + x[i+2] = d[i] boundary mirror;
	solve x[i] in 4 * x[i] + x[i+2] = d[i] boundary b[i];
	solve x[i] in x[i-2] + x[i-1] + x[i+1] = d[i] boundary 0;
	solve x[i] in (i > 0 ? x[i-2] : 0) + 4 * x[i] = d[i];
	solve x[i] in 4 * x[i] + x[i+2] = d[i];
	solve x[i] in x[i-4] + x[i-2] + 4 * x[i] = d[i] boundary 0;
}
kernel squares(d: f64[n, n], out x: f64[n, n]) {
	solve x[i, j] in x[i-2, j] + 4 * x[i, j] + x[i, j+2] = d[i, j] boundary 0;
}
kernel dense(a: f64[4, 4], d: f64[4], out x: f64[4]) {
	solve x[i] in sum[j](a[i, j] * x[j]) + x[i-2] = d[i] boundary 0;
}
