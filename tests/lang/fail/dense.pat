kernel sizes(a: f32[n, n], d: f32[n], b: f64[33, 33], e: f64[33], out x: f32[n], out y: f64[33]) {
	solve x[i] in sum[j](a[i, j] * x[j]) = d[i];
	solve y[i] in sum[j](b[i, j] * y[j]) = e[i];
}
kernel forms(a: f32[m, 4, 4], d: f32[m, 4], out x: f32[m, 4]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j] * x[k, j]) = d[k, i];
	solve x[k, i] in max[j](a[k, i, j] * x[k, j]) = d[k, i];
	solve x[k, i] in sum[j in 0..3](a[k, i, j] * x[k, j]) = d[k, i];
	solve x[k, i] in sum[j](a[k, i, j] * x[k, i]) = d[k, i];
	solve x[k, i] in sum[j in 0..4](a[k, i, j] * x[k, 3 - j]) = d[k, i];
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) + x[k, i-1] = d[k, i];
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] boundary 0;
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] pivot;
	solve x[k, i] in sum[j where x[k, j] > 0](a[k, i, j] * x[k, j]) = d[k, i];
	solve x[k, i] in sum[j, l](a[k, j, l] * x[k, j]) = d[k, i];
	solve x[k, i] in 4 * x[k, i] - x[k, i-1] = d[k, i] boundary 0 symmetric positive;
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = x[k, i];
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] for k in 1..m;
	solve x[0, i] in sum[j](a[0, i, j] * x[0, j]) = d[0, i];
	solve x[k, i] in sum[j](f64(a[k, i, j]) * x[k, j]) = d[k, i];
	solve x[k, i] in sum[j](a[k, i, j+1] * x[k, j]) = d[k, i];
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] symmetric;
}
