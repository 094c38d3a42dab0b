kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = sum[k in 0..3](x[i]);
}
