// Wavefronts that read beside their tables what only a condition keeps inside.
kernel align(q: u8[m], d: u8[n], s: i32[p], out h: i32[m, n]) {
	wavefront h[i, j] = max(max(h[i, j-1] - 1, h[i-1, j] - 1), h[i-1, j-1] + (q[i] == d[j] ? 2 : -1)) + (i < p ? s[i] : 0) boundary 0;
}
kernel guarded(x: i32[m, n], out h: i32[m, n]) {
	wavefront h[i, j] = x[i, j] + max(i > 0 ? h[i-1, j] : 0, j > 0 ? h[i, j-1] : 0);
}
kernel before(x: i32[m, n], out h: i32[m, n]) {
	wavefront h[i, j] = (i > 0 && j > 0 ? x[i-1, j-1] : 0) + max(i > 0 ? h[i-1, j] : 0, j > 0 ? h[i, j-1] : 0);
}
kernel smaller(x: f32[p, q], out h: f32[m, n]) {
	wavefront h[i, j] = (i < p && j < q ? x[i, j] : 1) + min(h[i-1, j], h[i, j-1]) boundary 0;
}
kernel rows(x: f32[p, n], out h: f32[m, n]) {
	wavefront h[i, j] = (i < p ? x[i, j] : 1) + min(h[i-1, j], min(j > 0 ? h[i-1, j-1] : 0, j + 1 < n ? h[i-1, j+1] : 0)) boundary 0;
}
kernel batch(x: i32[b, m], y: i32[b, n], w: i32[p], out h: i32[b, m, n]) {
	wavefront h[k, i, j] = max(h[k, i-1, j], h[k, i, j-1]) + (i > 0 ? x[k, i-1] : 0) * (j + 1 < n ? y[k, j+1] : 0) + (k < p ? w[k] : 0) boundary 0;
}
kernel one(x: f32[p], out y: f32[n]) {
	wavefront y[i] = y[i-1] * 0.5 + max(y[i-2], 0) + (i < p ? x[i] : 0) boundary 0;
}
kernel masked(x: i32[p, n], inout h: i32[m, n]) {
	wavefront h[i, j] = max(h[i-1, j], h[i, j-1]) + x[i, j] boundary 0 where i < p;
}
kernel banded(q: u8[m], d: u8[n], w: i32[k], out h: i32[m, n]) {
	wavefront h[i, j] = max(h[i-1, j-1] + (q[i] == d[j] ? 1 : 0), h[i-1, j]) + (i + j < k ? w[i + j] : 0) boundary 0;
}
