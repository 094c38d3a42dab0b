// layer_norm.pat - each row with mean 0 and variance 1, then scaled and shifted (deep learning:
// Ba, Kiros and Hinton 2016).  Patterns: reduce, map.
kernel layer_norm(eps: f32, x: f32[n, m], gain: f32[m], bias: f32[m], out y: f32[n, m]) {
	require m >= 1;
	let mean: f32[n];
	let spread: f32[n];
	reduce mean[i] = sum[j](x[i, j]) / f32(m);
	reduce spread[i] = sum[j]((x[i, j] - mean[i]) * (x[i, j] - mean[i])) / f32(m);
	map y[i, j] = gain[j] * (x[i, j] - mean[i]) * rsqrt(spread[i] + eps) + bias[j];
}

test known {
	layer_norm(eps = 0, x = [[1, 3], [10, 10.5]], gain = [1, 2], bias = [0, 1])
		-> y = [[-1, 3], [-1, 3]] within 1e-5;
}
