kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = sum[k](x[k]);
}
