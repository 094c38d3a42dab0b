// solve.pat - systems whose cells lie side by side, systems beside one another, and a long one.
kernel solve_along(a: f32[m, 64], b: f32[m, 64], c: f32[m, 64], d: f32[m, 64], out x: f32[m, 64]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + b[s, i] * x[s, i] + c[s, i] * x[s, i+1] = d[s, i]
		boundary 0;
}
kernel columns(u: f64[128, m], r: f64, out x: f64[128, m]) {
	solve x[i, s] in x[i, s] - r * (x[i-1, s] - 2 * x[i, s] + x[i+1, s]) = u[i, s] boundary 0;
}
kernel line(f: f32[1000000], out x: f32[1000000]) {
	solve x[i] in 2 * x[i] - x[i-1] - x[i+1] = f[i] boundary 0;
}
// Dense systems: lanes of a warp share one, a thread has one, and one without exchanges.
kernel dense(a: f32[m, 6, 6], d: f32[m, 6], out x: f32[m, 6]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel small(a: f64[m, 2, 2], d: f64[m, 2], out x: f64[m, 2]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel beside(a: f32[5, 5, m], d: f32[5, m], out x: f32[5, m]) {
	solve x[i, k] in sum[j](a[i, j, k] * x[j, k]) + x[i, k] = d[i, k] symmetric positive;
}
