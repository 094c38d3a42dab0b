// patc --target=cuda
// convolutions.pat - what is said of folds over a window and channels.
kernel layer(x: bf16[n, h, w, c], f: bf16[k, 3, 3, c], out y: f32[n, h, w, k], out most: f32) {
	stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
	reduce most = max[i, p, q, o](y[i, p, q, o]);
}
kernel block(x: bf16[n, h, w, c], f: bf16[k, 3, 3, c], bias: f32[k], out y: f32[n, h, w, k]) {
	let t: f32[n, h, w, k];
	stencil t[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
	map y[i, p, q, o] = max(t[i, p, q, o] + bias[o], 0);
}
kernel pinned(x: f32[n, h, w, c], f: f32[k, 3, 3, c], out y: f32[n, h, w, k]) {
	fold: stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
}
kernel none(x: f32[n, h, w, c], f: f32[k, 3, 3, c], g: f32[n, h, w, k, 3, 3, c], v: f32[n, h, w, k], e: f32[n, h, w], b: f32[k, 3, 50],
	inout y: f32[n, h, w, k], out z: f32[n, h, w]) {
	stencil y[i, p, q, o] = sum[r in 0..3, s in 0..3, a where a > r](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
	stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary keep;
	stencil y[i, p, q, o] = v[i, p-1, q, o] + sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
	stencil z[i, p, q] = sum[r, s in 0..3, a](x[i, p+r-1, q+s-1, a] * f[i, r, s, a]) boundary (0);
	stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * g[i, p, q, o, r, s, a]) boundary (0);
	stencil y[i, p, q, o] = sum[r, s](e[i, p+r, q+s] * b[o, r, s]) boundary (0);
}
schedule pinned for cuda { fold: stage l1; }
