kernel f(inout y: f32[n], out s: f32) {
	repeat until s < 1 at most 9 every 3 { map y[i] *= 0.5; reduce s = max[i](y[i]); }
}
kernel g(inout y: f32[n], out s: f32) {
	repeat until s < 1 every 3 { map y[i] *= 0.5; reduce s = max[i](y[i]); }
}
kernel h(inout y: f32[n]) {
	repeat t < 9 every 3 { map y[i] *= 0.5; }
}
