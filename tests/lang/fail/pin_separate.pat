kernel f(a: f32[n, m], w: f32[3, 3], out b: f32[n, m], out c: f32[n, m], out d: f32[n, m], out e: f32[n, m]) {
	line: stencil b[i, j] = sum[p in -1..2](a[i + p, j]) boundary clamp;
	full: stencil c[i, j] = sum[p in 0..3, q in 0..3](w[p, q] * a[i + p, j + q]) boundary clamp;
	fine: stencil d[i, j] = sum[p in 0..3, q in 0..3](a[i + p, j + q]) boundary clamp;
	copy: map e[i, j] = a[i, j];
}
schedule f for cuda { line: separate; full: separate; fine: separate; copy: no separate; }
