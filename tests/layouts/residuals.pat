kernel residuals(a: f64[n], b: f64[n], c: f64[n], d: f64[n], out x: f64[n]) {
	solve x[i] in a[i] * x[i-1] + b[i] * x[i] + c[i] * x[i+1] = d[i] boundary 0 pivot;
}
