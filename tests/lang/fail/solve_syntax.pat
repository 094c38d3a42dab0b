kernel f(a: f32[n], d: f32[n], out x: f32[n], out y: f32[n]) {
	solve x[i] in 4 * x[i] - x[i-1] - d[i] boundary 0;
	solve x[i] in 4 * x[i] - x[i-1] == d[i] boundary 0;
	solve x[i] in 4 * x[i] - x[i-1] += d[i] boundary 0;
	solve 4 * x[i] - x[i-1] = d[i] boundary 0;
	solve x[i]: 4 * x[i] - x[i-1] = d[i] boundary 0;
	solve a[i] x[i-1] + 4 * x[i] = d[i] boundary 0;
	solve x[i], y[i] in x[i] + y[i-1] = d[i], x[i] - y[i] = d[i] boundary 0;
	solve x[i] in 4x[i] - x[i-1] = d[i] boundary 0;
	solve x[i] in 4 * (x[i] - x[i-1] = d[i] boundary 0;
	map x[i] = d[i] where i = 0;
}
