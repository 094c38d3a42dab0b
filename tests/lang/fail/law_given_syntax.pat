op a1(p: f32, q: f32) -> f32 = p + q associative for v in 0..3;
op a2(p: f32, q: f32) -> f32 = p + q for v where v > 0;
op a3(p: f32, q: f32) -> f32 = p + q associative for v where v > 0, commutative;
kernel f(x: f32[n], out s: f32) {
	reduce s = sum[i](x[i]);
}
