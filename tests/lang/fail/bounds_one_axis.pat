kernel f(a: f32[n, m], out b: f32[n, m]) {
	stencil b[i, j] = a[i, j+1] + a[i+2, j] for i in 0..n-1, j in 0..m-1;
}
