kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = x[i] > 0 ? x[i-1] : 0;
}
