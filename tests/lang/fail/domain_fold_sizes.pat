kernel f(a: f32[n], b: f32[m], out s: f32) {
	reduce s = sum[i](a[i] * b[i]);
}
