// cov of the m columns of data, symmetric
kernel covariance(data: f64[n, m], out mean: f64[m], out cov: f64[m, m]) {
	let centred: f64[n, m];
	reduce mean[j] = sum[i](data[i, j]) / f64(n);
	map centred[i, j] = data[i, j] - mean[j];
	matmul cov[i, j] = sum[k](centred[k, i] * centred[k, j]) / (f64(n) - 1);
}
