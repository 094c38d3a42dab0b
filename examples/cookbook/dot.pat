// dot.pat - the dot product of two vectors (Futhark's examples, BLAS).  Patterns: reduce.
kernel dot(x: f32[n], y: f32[n], out s: f32) {
	reduce s = sum[i](x[i] * y[i]);
}

test known {
	dot(x = [1, 2, 3], y = [4, 5, 6]) -> s = 32;
	dot(n = 0) -> s = 0;
}
