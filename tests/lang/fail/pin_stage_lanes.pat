kernel f(a: f32[n, m], out b: f32[n, m]) {
	step: stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
}
schedule f for cuda { step: stage registers, tile 4 x 16; }
