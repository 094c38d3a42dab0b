kernel f(x: f32[n], a: f32[n, m], s: f64[n], out y: f32[n], out b: f32[n, m], out c: f64[n], out e: f32) {
	flat: map y[i] = 2 * x[i];
	wide: map c[i] = 2 * s[i];
	step: stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	line: stencil y[i] = x[i-1] boundary clamp;
	near: stencil b[i, j] = 2 * a[i, j];
	total: reduce e = sum[i](x[i]);
}
schedule f for cuda {
	flat: stage shared;
	flat: tile 8;
	flat: coarsen 9;
	wide: vector 4;
	step: stage shared, tile 8 x 8 x 8;
	line: coarsen 2;
	line: stage shared;
	line: tile 1024;
	near: stage shared;
	total: vector 8;
	total: coarsen 2;
	step: coarsen 3;
	total: fuse;
}
