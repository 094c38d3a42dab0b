// patc --target=cuda
// What pins change, and what they say of it.
kernel f(a: f32[n, m], x: f32[n], out b: f32[n, m], out c: f32[n, m], out y: f32[n], out z: f32[n], out e: f32) {
	let t: f32[n];
	apart: map t[i] = 2 * x[i];
	map y[i] = t[i];
	tiled: stencil b[i, j] = a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1] boundary clamp;
	sums: reduce e = max[i, j](b[i, j]);
	own: stencil c[i, j] = 2 * a[i, j];
	narrow: map z[i] = x[i] + 1;
}
schedule f for cuda { stage shared, coarsen 2; tiled: tile 8 x 64, coarsen 2, vector 1; apart: no fuse; sums: fuse; narrow: vector 1, coarsen 4; }

// a pin for the whole kernel holds where it can
kernel g(a: f32[n, m, k], x: f32[n], out b: f32[n, m, k], out y: f32[n]) {
	big: stencil b[i, j, l] = a[i-1, j, l] + a[i, j, l+1] boundary clamp;
	wide: stencil y[i] = sum[w in -40..41](x[i+w]) boundary clamp;
}
schedule g for cuda { stage shared, tile 16 x 32 x 64; }
kernel h(a: f32[n, m, k], out b: f32[n, m, k]) {
	held: stencil b[i, j, l] = a[i-1, j, l] + a[i+1, j, l] + a[i, j, l+1] boundary clamp;
}
schedule h for cuda { held: stage registers, tile 32 x 32, coarsen 16; }
kernel w(p: f32[n, m], out a: f32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
schedule w for cuda { wave: sweep diagonal; }
kernel v(p: i32[n, m], out a: i32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] - 2 * a[i, j-1] boundary 0;
}
schedule v for cuda { wave: sweep rows; }
kernel u(p: i32[n, m], out a: i32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] - 2 * a[i, j-1] boundary 0;
}
schedule u for cuda { wave: sweep hybrid; }
