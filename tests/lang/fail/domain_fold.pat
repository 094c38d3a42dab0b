kernel f(x: f32[n], out y: f32[n]) {
	reduce y[i] = sum[k](x[i] * f32(k));
}
