kernel words(b: f32[n], d: f32[n], c: i32[n], out x: f32[n], out y: i32[n], out h: f16[n]) {
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary keep;
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary (f32(i));
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary (0, 0);
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary wrap pivot;
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary 0 where b[i] > 0;
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary 0 for i in 1..n;
	solve x[i] = x[i-1] + d[i];
	solve x[i];
	solve y[i] in y[i-1] + 4 * y[i] = c[i] boundary 0;
	solve h[i] in h[i-1] + 4 * h[i] = 1 boundary 0;
	solve x[i] in f64(b[i]) * x[i-1] + 4 * x[i] = d[i] boundary 0;
	solve x[i] in x[i-1] + 4 * x[i] = d[c[i]] boundary 0;
	map x[i] in x[i-1] + 4 * x[i] = d[i];
	solve x[i] in x[i-1] + 4 * x[i] = d[i] boundary mirror;
	solve x[i] in 4 * x[i] + b[i-1] * x[i-1] = d[i-1] boundary 0;
}
