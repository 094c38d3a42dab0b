kernel f(x: f32[n, l], w: f32[l, m], v: f32[l], out y: f32[n, m], out z: f32[n], g: f32[n, 4, 4], out h: f32[n, 4, 4]) {
	a: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	b: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	c: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	d: matmul z[i] = sum[k](x[i, k] * v[k]);
	e: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	f: matmul h[q, i, j] = sum[k](g[q, i, k] * g[q, k, j]);
}
schedule f for cuda {
	a: tile 32 x 32;
	b: stage registers;
	c: coarsen 4;
	d: stage shared;
	e: vector 8;
	f: tile 64 x 64;
}
