kernel f(k: i32[n], x: f32[n], out y: f32[n]) {
	stencil y[i] = x[k[i]];
}
