kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = x[i-1] boundary 0 where i > 1 boundary 1;
}
