// patc --target=cpu
kernel f(x: f32[n, l], w: f32[l, m], v: f32[l], out y: f32[n, m], out z: f32[n]) {
	a: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	b: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	c: matmul z[i] = sum[k](x[i, k] * v[k]);
}
schedule f for cpu {
	a: tile 128 x 128;
	b: stage registers;
	c: stage shared;
}
