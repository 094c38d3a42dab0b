// softmax.pat - each row becomes shares that add up to 1 (deep learning).  Patterns: reduce, map.
kernel softmax(x: f32[n, m], out y: f32[n, m]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map y[i, j] = exp(x[i, j] - top[i]) / total[i];
}

test known {
	softmax(x = [[0, 0], [1000, 1000]]) -> y = 0.5;
	softmax(x = [[0, 1, 2]]) -> y = [[0.09003057, 0.24472847, 0.66524096]] within 1e-6;
}
