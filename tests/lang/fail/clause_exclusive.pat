kernel f(x: f32[n], out y: f32[n]) {
	reduce y[i] = sum[k in 0..2](x[i]) exclusive;
}
