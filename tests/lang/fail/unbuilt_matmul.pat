kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	matmul y[i] = sum[k](x[k] * x[i]);
}
