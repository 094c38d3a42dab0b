op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op plus(a: f32, b: f32) -> f32 = a + b identity 0, associative, commutative, distributes over min;
kernel ops(x: f32[n], A: f32[n, m], inout y: f32[n], out s: f32) {
	reduce y[i] = lse[j](A[i, j]);
	map y[i] lse= x[i];
	map y[i] max= x[i];
	reduce s = plus[i](y[i]);
	map y[i] = lse(x[i], y[i]);
}
