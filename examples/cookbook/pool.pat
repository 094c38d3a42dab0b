// pool.pat - the largest of each 2 by 2 cells, and of windows that overlap (deep learning).
// Patterns: stencil with a factor.
kernel pool(a: f32[c, 2*h, 2*w], out b: f32[c, h, w]) {
	stencil b[k, y, x] = max[p in 0..2, q in 0..2](a[k, 2*y + p, 2*x + q]);
}
kernel pool_overlapping(a: f32[c, 2*h, 2*w], out b: f32[c, h, w]) {
	stencil b[k, y, x] = max[p in 0..3, q in 0..3](a[k, 2*y + p - 1, 2*x + q - 1])
		boundary (-inf);
}

test known {
	pool(a = [[[1, 2, 5, 0], [3, 0, 0, 6]]]) -> b = [[[3, 6]]];
	pool_overlapping(a = [[[1, 2, 5, 0], [3, 0, 0, 6]]]) -> b = [[[3, 6]]];
}
