kernel sums(A: f32[n, m], out y: f32[n]) {
	matmul y[i] = sum[j](2 * A[i, j]);
}
kernel scaled(x: f32[n], inout y: f32[n]) {
	matmul y[i] = sum[k](x[k] * x[i]);
}
kernel none(A: f32[n, m], B: f32[n, m], out C: f32[n, m]) {
	matmul C[i, j] = A[i, j] * B[i, j];
}
kernel twice(A: f32[n, l], B: f32[l, m], out C: f32[n, m]) {
	matmul C[i, j] = sum[k](A[i, k] * B[k, j]) / sum[k](A[i, k] * A[i, k]);
}
kernel bounds(A: f32[n, l], B: f32[l, m], out C: f32[n, m]) {
	matmul C[i, j] = sum[k](A[k, i] * B[k, j]);
}
op sub(a: f32, b: f32) -> f32 = a - b;
kernel law(A: f32[n, l], B: f32[l, m], out C: f32[n, m]) {
	matmul C[i, j] = sub[k](A[i, k] * B[k, j]);
}
kernel written(A: f32[n, l], B: f32[l, m], out C: f32[n, m]) {
	matmul C[i, j] += sum[k](A[i, k] * B[k, j]);
}
kernel own(inout A: f32[n, n], B: f32[n, n]) {
	matmul A[i, j] = sum[k](A[i, k] * B[k, j]);
}
