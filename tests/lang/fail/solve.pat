kernel linear(b: f32[n], d: f32[n], out x: f32[n]) {
	solve x[i] in b[i] * x[i] * x[i] + x[i-1] = d[i] boundary 0;
	solve x[i] in b[i] / x[i] + x[i-1] = d[i] boundary 0;
	solve x[i] in sqrt(x[i]) + x[i-1] = d[i] boundary 0;
	solve x[i] in (x[i] > 0 ? x[i-1] : 0) + x[i] = d[i] boundary 0;
	solve x[i] in b[i] * x[i] = d[i] boundary 0;
	solve x[i] in x[i-1] + x[i+1] = d[i] boundary 0;
	solve x[i] in x[i] + x[2*i] = d[i] boundary 0;
	solve x[i] in x[i] + x[i-1] = x[i] + d[i] boundary 0;
}
kernel far(b: f32[n], d: f32[n], out x: f32[n]) {
	solve x[i] in x[i-3] + 4 * x[i] + x[i+1] = d[i] boundary 0;
	solve x[i] in sum[j](b[j] * x[j]) + x[i] = d[i];
}
kernel axes(d: f32[n, m], out x: f32[n, m], out y: f32[n, n]) {
	solve x[i, j] in x[i-1, j] + 4 * x[i, j] + x[i, j+1] = d[i, j] boundary 0;
	solve y[i, 0] in y[i-1, 0] + 4 * y[i, 0] = d[i, 0] boundary 0;
}
kernel open(b: f32[n], d: f32[n], out x: f32[n]) {
	solve x[i] in b[i] * x[i-1] + 4 * x[i] = d[i];
	solve x[i] in b[i-1] * x[i] + x[i-1] = d[i] boundary 0;
}
