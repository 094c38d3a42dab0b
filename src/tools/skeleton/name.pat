// @name@.pat - replace this kernel by your own; patc-tutorial(7) is a way in.
kernel @name@(a: f32, x: f32[n], inout y: f32[n]) {
	map y[i] = a * x[i] + y[i];
}
test adds {
	@name@(a = 2, x = [1, 2, 3], y = [10, 20, 30]) -> y = [12, 24, 36];
	@name@(n = 0, a = 2);
}
