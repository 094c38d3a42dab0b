kernel loops(inout x: f32[n], steps: i64, out s: f32) {
	map s = 2;
	repeat until s < 1 at most 0 { reduce s = sum[i](x[i]); }
	repeat t < 0 { map x[i] = 1; }
	repeat until s < 1 every 20 at most 10 { map x[i] = x[i] / 2; reduce s = sum[i](x[i]); }
	repeat until s < 1 every(20) at most(19) { map x[i] = x[i] / 2; reduce s = sum[i](x[i]); }
	repeat until s < 1 every 10 at most 10 { map x[i] = x[i] / 2; reduce s = sum[i](x[i]); }
	repeat until s < 1 every 10 at most steps { map x[i] = x[i] / 2; reduce s = sum[i](x[i]); }
	repeat t < steps { map x[i] = 1; }
}
