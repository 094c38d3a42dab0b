// solve.pat - systems whose cells lie side by side, and systems beside one another.
kernel rows(a: f32[m, n], b: f32[m, n], c: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + b[s, i] * x[s, i] + c[s, i] * x[s, i+1] = d[s, i]
		boundary 0;
}
kernel columns(u: f64[n, m], r: f64, out x: f64[n, m]) {
	solve x[i, s] in x[i, s] - r * (x[i-1, s] - 2 * x[i, s] + x[i+1, s]) = u[i, s] boundary 0;
}
