kernel pivots(a: f64[m, 9, 9], d: f64[m, 9], out x: f64[m, 9]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel own(a: f64[m, 3, 3], d: f64[m, 3], out y: f64[m, 3]) {
	solve y[k, i] in sum[j](a[k, i, j] * y[k, j]) = d[k, i];
}
