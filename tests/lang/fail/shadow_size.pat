kernel product(a: f32[n, k], b: f32[k, m], out c: f32[n, m]) {
	reduce c[i, j] = sum[k](a[i, k] * b[k, j]);
}
