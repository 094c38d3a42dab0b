// each pin names a way that the statement has not
kernel f(a: f32[n, m], w: f32[9], r: i64, out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	two: stencil b[i, j] = sum[p in -1..2, q in -1..2](a[i + p, j + q]) boundary clamp;
	none: stencil c[i, j] = sum[q in 3..3](a[i, j + q]) + sum[q in 2..1](a[i, j + q]) boundary clamp;
	other: stencil c[i, j] = sum[q in 0..9](w[q] * a[i, j + q]) boundary clamp;
	kept: stencil d[i, j] = sum[q in 0..40](a[i, j + q]) boundary keep;
	large: stencil d[i, j] = sum[q in 0..90000](a[i, j + q]) boundary clamp;
	tiled: stencil d[i, j] = sum[q in 0..40](a[i, j + q]) boundary clamp;
	turned: transpose d[j, i] = a[i, j] for i in 0..min(n, m), j in 0..min(n, m);
}
schedule f for cuda {
	two: stage runs;
	none: stage runs;
	other: stage runs;
	kept: stage runs;
	large: stage runs;
	tiled: stage runs, tile 8 x 128;
	turned: stage runs;
}
