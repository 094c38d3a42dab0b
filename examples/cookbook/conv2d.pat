// conv2d.pat - a layer of a convolutional network: channels last, a bias (deep learning).
// Patterns: stencil with a window; on a GPU it is a product of matrices.
kernel conv2d(x: f16[n, h, w, c], f: f16[k, 3, 3, c], bias: f32[k], out y: f16[n, h, w, k]) {
	stencil y[i, p, q, o] = f16(max(0, bias[o]
			+ sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]))) boundary (0);
}

test known {
	conv2d(n = 1, h = 2, w = 2, c = 1, k = 1, x = 1, f = 1, bias = 0.5) -> y = 4.5;
	conv2d(n = 1, h = 1, w = 1, c = 2, k = 1, x = 1, f = 1, bias = -3) -> y = 0;
}
