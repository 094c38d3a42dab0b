const LIMIT: f32 = 3;
op a1(p: f32, q: f32) -> f32 = p + q associative for v where w >= 0;
op a2(p: f32, q: f32) -> f32 = p + q associative for v where p >= 0;
op a3(p: f32, q: f32) -> f32 = p + q associative for v where good(v);
op a4(p: f32, q: f32) -> f32 = p + q associative for v where v;
op a5(p: f32, q: f32) -> f32 = p + q associative for v where v.best >= 0;
op a6(p: f32, q: f32) -> f32 = p + q associative for v where sum[i](v) >= 0;
op a7(p: f32, q: f32) -> f32 = p + q associative for LIMIT where LIMIT > 0;
op a8(p: f32, q: f32) -> f32 = p + q associative for v where v[0] > 0;
kernel f(x: f32[n], out s: f32) {
	reduce s = sum[i](x[i]);
}
