kernel f(inout u: f32[n]) {
	stencil u[i] = u[i-1] + u[i+1] for i in 1..n-1;
}
