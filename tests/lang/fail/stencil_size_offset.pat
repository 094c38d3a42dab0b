kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = x[i + n] boundary wrap;
}
