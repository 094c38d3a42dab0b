kernel f(a: f32[n, m], out b: f32[n, m]) {
	stencil b[i, j] = a[i+1, j] + a[i, j-1];
}
