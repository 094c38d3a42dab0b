const S: f32 = sum[k in 0..3](1);
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = S * x[i];
}
