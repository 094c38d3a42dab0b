kernel f(x: f32[n], out y: f32[n], out s: f32) {
	map y[i] = s * x[i];
	reduce s = sum[i](x[i]);
}
