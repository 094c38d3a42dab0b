// corr of the m columns of data, ones on the diagonal
const EPS: f64 = 0.1;
kernel correlation(data: f64[n, m], out mean: f64[m], out stddev: f64[m], out corr: f64[m, m]) {
	let scaled: f64[n, m];
	reduce mean[j] = sum[i](data[i, j]) / f64(n);
	reduce stddev[j] = sqrt(sum[i]((data[i, j] - mean[j]) * (data[i, j] - mean[j])) / f64(n));
	map stddev[j] = stddev[j] <= EPS ? 1 : stddev[j];
	map scaled[i, j] = (data[i, j] - mean[j]) / (sqrt(f64(n)) * stddev[j]);
	matmul corr[i, j] = i == j ? 1 : sum[k](scaled[k, i] * scaled[k, j]);
}
