// patc --target=cuda
// Values of terms that a march hands on, and cells that it hands on since values would take more registers.
fn row(l: f32, c: f32, r: f32) -> f32 = 0.25 * l + 0.5 * c + 0.25 * r;

kernel box(a: f32[l, n, m], out b: f32[l, n, m]) {
	stencil b[i, j, k] = sum[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r]) boundary clamp;
}

kernel weighted(a: f32[l, n, m], out b: f32[l, n, m]) {
	stencil b[i, j, k] = 0.3 * row(a[i-1, j, k-1], a[i-1, j, k], a[i-1, j, k+1])
		+ 0.4 * row(a[i, j-1, k-1], a[i, j-1, k], a[i, j-1, k+1])
		+ 0.5 * row(a[i, j, k-1], a[i, j, k], a[i, j, k+1])
		+ 0.4 * row(a[i+1, j-1, k-1], a[i+1, j-1, k], a[i+1, j-1, k+1])
		+ 0.3 * row(a[i+1, j, k-1], a[i+1, j, k], a[i+1, j, k+1]) boundary clamp;
}

kernel star(a: f32[l, n, m], out b: f32[l, n, m]) {
	stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j, k] + a[i, j, k-1] + a[i, j, k+1] boundary clamp;
}
