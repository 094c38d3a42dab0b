// convolution.pat - folds over a window and channels, which are products of matrices whose rows slide: channels last, aligned
// or not, and first; windows of the program and of the call; strides, dilations, groups, edges of each kind, in one to three
// axes; what is behind them.
fn relu(x: f32) -> f32 = max(x, 0);
kernel same(x: bf16[n, h, w, c], f: bf16[k, 3, 3, c], out y: bf16[n, h, w, k]) {
	stencil y[n0, p, q, o] = bf16(sum[a, r, s](x[n0, p+r-1, q+s-1, a] * f[o, r, s, a])) boundary (0);
}
// channels of eight: 16 bytes at a time
kernel eights(x: bf16[n, h, w, 8*c], f: bf16[k, 3, 3, 8*c], bias: f32[k], z: bf16[n, h, w, k], out y: bf16[n, h, w, k]) {
	stencil y[n0, p, q, o] = bf16(relu(sum[r, s, a](f32(x[n0, p+r-1, q+s-1, a]) * f32(f[o, r, s, a])) + bias[o] + z[n0, p, q, o])) boundary (0);
}
// a map behind, whose indices have other names
kernel behind(x: bf16[n, h, w, 8*c], f: bf16[k, 3, 3, 8*c], bias: f32[k], z: bf16[n, h, w, k], out y: bf16[n, h, w, k]) {
	let t: f32[n, h, w, k];
	stencil t[n0, p, q, o] = sum[r, s, a](f32(x[n0, p+r-1, q+s-1, a]) * f32(f[o, r, s, a])) boundary (0);
	map y[p, q, o, n0] = bf16(relu(t[p, q, o, n0] + bias[n0]) + z[p, q, o, n0]);
}
kernel bytes(x: i8[n, h, w, 16*c], f: i8[k, 3, 2, 16*c], out y: i32[n, h, w, k]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q-s, a] * f[o, r, s, a]) boundary (0);
}
// the call gives the window, and how far it begins before the cell
kernel given(x: f32[n, h, w, c], f: f32[k, u, v, c], up: i32, left: i32, out y: f32[n, h, w, k]) {
	require up >= 0, left >= 0, up < 9, left < 9;
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-up, q+s-left, a] * f[o, r, s, a]) boundary (0);
}
kernel given_halves(x: f16[n, h, w, 8*c], f: f16[k, u, v, 8*c], out y: f32[n, h, w, k]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q+s-2, a] * f[o, r, s, a]) boundary (0);
}
// strides and dilations, of axes that end in the middle of a window
kernel strides(x: f32[n, h, w, c], f: f32[k, 3, 3, c], out y: f32[n, h2, w2, k]) {
	stencil y[n0, p, q, o] = 1 - 2 * sum[r, s, a](x[n0, 2*p+r-1, 3*q+2*s-2, a] * f[o, r, s, a]) boundary (0);
}
kernel groups(x: bf16[n, h, w, g, 8*c], f: bf16[g, k, 2, 3, 8*c], out y: f32[n, h, w, g, k]) {
	stencil y[n0, p, q, j, o] = sum[r, s, a](x[n0, p+r, q+s-1, j, a] * f[j, o, r, s, a]) boundary (0);
}
kernel first(x: f32[n, c, h, w], f: f32[k, c, 3, 3], out y: f32[n, k, h, w]) {
	stencil y[n0, o, p, q] = sum[a, r, s](x[n0, a, p+r-1, q+s-1] * f[o, a, r, s]) boundary (0);
}
kernel first_halves(x: f16[n, c, h, w], f: f16[k, c, 3, 3], out y: f16[n, k, h, w]) {
	stencil y[n0, o, p, q] = f16(sum[a, r, s](x[n0, a, p+r-1, q+s-1] * f[o, a, r, s])) boundary (0);
}
kernel edges(x: f32[h, w, c], f: f32[k, 3, 3, c], inout y: f32[h, w, k], out z: f32[h, w, k]) {
	stencil y[p, q, o] = y[p, q, o] + sum[r, s, a](f[o, r, s, a] * x[p+r-1, q+s-1, a]) boundary (clamp, wrap, clamp);
	stencil z[p, q, o] = sum[r, s, a](x[p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0.5, mirror, 0);
}
// no edges: all places are inside
kernel inner(x: f32[n, h+2, w+1, c], f: f32[k, 3, 2, c], out y: f32[n, h, w, k], out z: f32[n, h, w, k]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r, q+s, a] * f[o, r, s, a]);
	matmul z[n0, p, q, o] = max[r, s, a](x[n0, p+r, q+s, a] + f[o, r, s, a]);
}
kernel line(x: f64[l, c], f: f64[k, 5, c], out y: f64[l, k], out z: f64[l, k]) {
	stencil y[p, o] = sum[r, a](x[p+r-2, a] * f[o, r, a]) boundary (0);
	stencil z[p, o] = sum[r, a](x[p+r-2, a] * f[o, r, a]) boundary (0) strict;
}
kernel space(x: i32[d, h, w, c], f: i32[k, 2, 3, 2, c], out y: i32[d, h, w, k]) {
	stencil y[i, p, q, o] = sum[t, r, s, a](x[i+t-1, p+r-1, q+s, a] * f[o, t, r, s, a]) boundary (0);
}
kernel contraction(x: f32[n, h, c], f: f32[k, h, c], out y: f32[n, k]) {
	matmul y[i, o] = sum[p, a](x[i, p, a] * f[o, p, a]);
}
// more than a tile along each side
kernel large(x: bf16[1, 13, 11, 72], f: bf16[136, 2, 1, 72], out y: f32[1, 13, 11, 136]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
}
kernel large_columns(x: f16[1, 9, 16, 40], f: f16[264, 1, 3, 40], out y: f32[1, 9, 16, 264]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r, q+s-1, a] * f[o, r, s, a]) boundary (0);
}
// 128 columns of results in lines; 64 and 256 of those that are not
kernel large_half(x: bf16[1, 17, 16, 48], f: bf16[100, 2, 1, 48], out y: f32[1, 17, 16, 100]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q+s, a] * f[o, r, s, a]) boundary (0);
}
kernel large_parts(x: bf16[1, 17, 16, 48], f: bf16[30, 2, 1, 48], g: bf16[70, 1, 2, 48], inout y: f32[1, 17, 16, 30], inout z: f32[1, 17, 16, 70]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q+s, a] * f[o, r, s, a]) for p in 1..17 boundary (0);
	stencil z[n0, p, q, o] += sum[r, s, a](x[n0, p-r, q+s, a] * g[o, r, s, a]) where p != q + 1 boundary (0);
}
kernel large_plain(x: f32[1, 9, 9, 19], f: f32[130, 2, 1, 19], out y: f32[1, 9, 9, 130]) {
	stencil y[n0, p, q, o] = sum[r, s, a](x[n0, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
}
