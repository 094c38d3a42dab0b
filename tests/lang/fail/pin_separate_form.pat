kernel f(a: f32[n, m], out b: f32[n, m]) {
	box: stencil b[i, j] = sum[p in 0..3, q in 0..3](a[i + p, j + q]) boundary clamp;
}
schedule f for cuda { box: separate 2; }
