kernel f(inout u: f32[n]) {
	stencil u[i] = u[i-1] + u[i+1] boundary wrap where i % 2 == 0;
}
