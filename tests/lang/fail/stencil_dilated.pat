kernel far(x: f32[b, l, c], w: f32[o, 3, c], rate: i64, out y: f32[b, l, o]) {
	stencil y[n, t, k] = sum[q in 0..3, e](w[k, q, e] * x[n, t + rate * (q - 1), e]) boundary (0);
}
kernel channels(x: f32[l, c], w: f32[3, c], rate: i64, out y: f32[l]) {
	stencil y[t] = sum[e](w[0, e] * x[t - rate, e] + w[2, e] * x[t + rate, e]) boundary (0);
}
kernel sized(size kv: i64, x: f32[b, k, v], order: i64[b, kv], out y: i64[b, k]) {
	require kv == k * v, v > 0;
	map y[i, r] = order[i, r] + i64(x[i, r, 0]);
}
