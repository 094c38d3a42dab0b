fn g(x: f32) -> f32 = sum[k in 0..3](x);
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
