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
