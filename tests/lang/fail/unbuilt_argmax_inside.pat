kernel f(x: f32[n], out s: i64) {
	reduce s = 1 + argmax[i](x[i]);
}
