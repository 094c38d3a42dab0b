kernel f(a: f32[n, n], out b: f32[n, n]) {
	stencil b[i, j] = a[j, i+1] boundary clamp;
}
