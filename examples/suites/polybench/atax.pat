// y = A^T (A x)
kernel atax(A: f64[m, n], x: f64[n], out y: f64[n]) {
	let tmp: f64[m];
	reduce tmp[i] = sum[j](A[i, j] * x[j]);
	reduce y[j] = sum[i](A[i, j] * tmp[i]);
}
