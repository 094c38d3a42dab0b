kernel f(x: f32[n], out s: i64) {
	reduce s = sum[i](x[i] > 0);
}
