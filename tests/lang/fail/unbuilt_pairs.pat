kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	pairs y[i] = sum[j](x[j] - x[i]);
}
