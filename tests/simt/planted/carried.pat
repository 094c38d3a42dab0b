// Terms of a plane that a march computes once and hands on.
kernel boxed(a: f32[13, 11, 4*m], out b: f32[13, 11, 4*m]) {
	stencil b[i, j, k] = sum[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r]) boundary clamp;
}
