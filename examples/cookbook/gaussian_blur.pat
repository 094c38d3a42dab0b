// gaussian_blur.pat - every pixel the mean of its neighbours, weighted by their distance (CS344,
// problem 2).  Patterns: stencil with a window, which is folded along one axis after the other.
kernel gaussian_blur(image: f32[h, w], weight: f32[2*r+1], out soft: f32[h, w]) {
	require r < 16;
	stencil soft[y, x] = sum[p in 0..2*r+1, q in 0..2*r+1](
			weight[p] * weight[q] * image[y + p - r, x + q - r]) boundary clamp;
}

test known {
	gaussian_blur(image = [[0, 0, 0], [0, 16, 0], [0, 0, 0]], weight = [0.25, 0.5, 0.25], r = 1)
		-> soft = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
	gaussian_blur(image = [[1, 2]], weight = [1], r = 0) -> soft = [[1, 2]];
}
