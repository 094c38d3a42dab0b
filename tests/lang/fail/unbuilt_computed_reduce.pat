kernel f(x: f32[n], out s: f32) {
	reduce s = sum[i in 0..n](x[i*i % n]);
}
