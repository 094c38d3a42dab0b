kernel f(k: i32[n], x: f32[n], out s: f32) {
	reduce s = sum[i](x[k[i]]);
}
