// A += u1 v1^T + u2 v2^T;  x += beta A^T y + z;  w = alpha A x
kernel gemver(alpha: f64, beta: f64, inout A: f64[n, n], u1: f64[n], v1: f64[n], u2: f64[n],
              v2: f64[n],
              out w: f64[n], inout x: f64[n], y: f64[n], z: f64[n]) {
	map A[i, j] += u1[i] * v1[j] + u2[i] * v2[j];
	reduce x[i] = x[i] + beta * sum[j](A[j, i] * y[j]) + z[i];
	reduce w[i] = alpha * sum[j](A[i, j] * x[j]);
}
