kernel f(inout u: f32[n]) {
	stencil u[i] = u[i-2] for i in 2..n where i % 2 == 0;
}
