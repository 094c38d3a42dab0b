// pin_cures.pat - what the help of a pin recommends holds: tests/cures.py tries it.
kernel product(a: f32[m, k] layout col, b: f32[k, n] layout col, out c: f32[m, n] layout col) {
	p: matmul c[i, j] = sum[l](a[i, l] * b[l, j]);
}
schedule product for cuda { p: tile 128 x 16; }
kernel unstaged(x: f32[n, m], out y: f32[n, m], out z: f32[n, m], out u: f32[n, m], out v: f32[n, m]) {
	a: map y[i, j] = 2 * x[i, j];
	b: stencil z[i, j] = x[i-1, j] + x[i+1, j] boundary clamp;
	c: stencil u[i, j] = x[i-1, j] + x[i+1, j] boundary clamp;
	d: stencil v[i, j] = x[i-1, j] + x[i+1, j] boundary clamp;
}
schedule unstaged for cuda { a: tile 8 x 128; b: tile 8 x 128; c: tile 256 x 256; d: stage l1, tile 8 x 8; }
kernel staged(x: f32[n, m] layout col, w: f32[l, n, m] layout col, out y: f32[n, m] layout col, out z: f32[n, m] layout col,
              out u: f32[l, n, m] layout col) {
	large: stencil y[i, j] = x[i-1, j] + x[i+1, j] boundary clamp;
	lanes: stencil z[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1] boundary clamp;
	space: stencil u[k, i, j] = w[k-1, i, j] + w[k+1, i, j] + w[k, i-1, j] + w[k, i, j+1] boundary clamp;
}
schedule staged for cuda { large: stage shared, tile 200 x 300; lanes: stage registers, tile 8 x 8; space: stage registers, tile 3 x 3; }
kernel axes(x: f32[n, m], out y: f32[n, m]) {
	s: stencil y[i, j] = x[i-1, j] + x[i+1, j] boundary clamp;
}
schedule axes for cuda { s: stage shared, tile 4 x 4 x 4; }
