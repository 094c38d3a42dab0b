// banded.pat - many tridiagonal systems, whose rows are side by side (along), or apart by the number
// of systems (across): band.cu.
kernel banded_along(a: f32[s, n], b: f32[s, n], c: f32[s, n], d: f32[s, n], out x: f32[s, n]) {
	solve x[q, i] in a[q, i] * x[q, i-1] + b[q, i] * x[q, i] + c[q, i] * x[q, i+1] = d[q, i]
		boundary 0;
}
kernel banded_across(a: f32[n, s], b: f32[n, s], c: f32[n, s], d: f32[n, s], out x: f32[n, s]) {
	solve x[i, q] in a[i, q] * x[i-1, q] + b[i, q] * x[i, q] + c[i, q] * x[i+1, q] = d[i, q]
		boundary 0;
}
kernel pivot_long(a: f32[n], b: f32[n], c: f32[n], d: f32[n], out x: f32[n]) {
	solve x[i] in a[i] * x[i-1] + b[i] * x[i] + c[i] * x[i+1] = d[i] boundary 0 pivot;
}
kernel pivot_along(a: f32[s, n], b: f32[s, n], c: f32[s, n], d: f32[s, n], out x: f32[s, n]) {
	solve x[q, i] in a[q, i] * x[q, i-1] + b[q, i] * x[q, i] + c[q, i] * x[q, i+1] = d[q, i]
		boundary 0 pivot;
}
kernel pivot_across(a: f32[n, s], b: f32[n, s], c: f32[n, s], d: f32[n, s], out x: f32[n, s]) {
	solve x[i, q] in a[i, q] * x[i-1, q] + b[i, q] * x[i, q] + c[i, q] * x[i+1, q] = d[i, q]
		boundary 0 pivot;
}
