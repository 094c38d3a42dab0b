// Systems along the last axis and across it, of any length; a way for each.
kernel along(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + 4 * x[s, i] + x[s, i+1] = d[s, i] boundary 0;
}
kernel across(d: f32[n, m], e: f64[n, m], out x: f32[n, m], out y: f64[n, m]) {
	solve x[i, s] in 4 * x[i, s] + x[i+1, s] = d[i, s] boundary 0;
	solve y[i, s] in 4 * y[i, s] + y[i+1, s] = e[i, s] boundary 0;
}
