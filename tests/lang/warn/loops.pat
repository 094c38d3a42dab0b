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
kernel forgets_swap(inout a: f32[n], steps: i64, out s: f32) {
	let b: f32[n];
	repeat until s < 1 at most steps {
		stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary clamp;
		reduce s = max[i](abs(b[i] - a[i]));
	}
	repeat until s < 1 at most steps {
		stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary clamp;
		reduce s = max[i](abs(b[i] - a[i]));
		swap a, b;
	}
	repeat until s < 1 at most steps {
		stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary s;
		reduce s = max[i](abs(b[i] - a[i]));
	}
	repeat until s < 1 at most steps { map s = 2; map s = 0.5 * b[0] where n > 0; map a[i] = 1; }
}
