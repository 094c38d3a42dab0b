kernel f(a: f32[n, m], out b: f32[n, m], out c: f32[n, m]) {
	step: stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	bare: stencil c[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
}
schedule f for cuda { step: stage shared, tile 8 x 64, coarsen 4; bare: tile 8 x 128; }
schedule f for hip { step: stage shared, tile 8 x 64, coarsen 2; }
