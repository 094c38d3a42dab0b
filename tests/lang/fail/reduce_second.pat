kernel f(x: f32[n], out s: f32, out t: f32) {
	reduce s = sum[i](x[i]), t = 1;
}
