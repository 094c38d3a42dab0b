kernel rounds(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + (abs(a[s, i]) + 3) * x[s, i] + x[s, i+1] = d[s, i] boundary wrap;
}
kernel circle(e: f64[2, 6144], out y: f64[2, 6144]) {
	solve y[s, i] in y[s, i-1] + y[s, i+1] + 2.25 * y[s, i] = e[s, i] boundary wrap;
}
