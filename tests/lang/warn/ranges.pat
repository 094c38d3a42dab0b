const NONE: i64 = 0;
fn idle(x: f32) -> f32 {
	var s = x;
	for k in 3..3 { s = s + 1; }
	for k in 0..1 { s = s + 1; }
	return s;
}
kernel folds(x: f32[n, 8], out y: f32[n], out z: f32[n], out s: f32) {
	reduce y[i] = sum[k in 8..0](x[i, k]) + sum[k in 0..NONE](x[i, k]) + sum[k in 0..NONE+1](x[i, k]);
	reduce z[i] = max[k in 2..3](x[i, k]) + sum[k in 0..1, l in 1..2](x[i, k+l]) + sum[k in 0..1, l in 0..2](x[i, k+l]);
	map y[i] = idle(x[i, 0]) for i in 4..-1 + 3;
	map z[i] = 1 for i in 0..min(1, n);
	reduce s = prod[i, k in (1 - 1)..(0 - 1)](x[i, k]);
}
