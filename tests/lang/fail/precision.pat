kernel doubles(a: f64[n, l], b: f64[l, m], out c: f64[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32;
}
kernel paths(a: f32[n, l], b: f32[l, m], out c: f32[n, m]) {
	matmul c[i, j] = min[k](a[i, k] * b[k, j]) precision tf32x3;
}
kernel sums(a: f32[n, l], b: f32[l, m], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] + b[k, j]) precision tf32;
}
kernel word(a: f32[n, l], b: f32[l, m], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision bf16x9;
}
kernel value(a: f32[n, l], b: f32[l, m], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision;
}
kernel again(a: f32[n, l], b: f32[l, m], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32 precision tf32;
}
kernel other(a: f32[n, l], out c: f32[n]) {
	reduce c[i] = sum[k](a[i, k] * a[i, k]) precision tf32;
}
