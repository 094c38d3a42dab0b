// Two products of a matrix, one of them transposed: x1 += A y1, x2 += A^T y2
kernel mvt(inout x1: f64[n], inout x2: f64[n], y1: f64[n], y2: f64[n], A: f64[n, n]) {
	reduce x1[i] = x1[i] + sum[j](A[i, j] * y1[j]);
	reduce x2[i] = x2[i] + sum[j](A[j, i] * y2[j]);
}
