// y = alpha A x + beta B x
kernel gesummv(alpha: f64, beta: f64, A: f64[n, n], B: f64[n, n], x: f64[n], out y: f64[n]) {
	reduce y[i] = alpha * sum[j](A[i, j] * x[j]) + beta * sum[j](B[i, j] * x[j]);
}
