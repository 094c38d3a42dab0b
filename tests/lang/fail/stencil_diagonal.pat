kernel f(x: f32[n], out y: f32[n, n]) {
	stencil y[i, j] = x[i + j] boundary clamp;
}
