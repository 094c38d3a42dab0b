op add(a: f32, b: f32) -> f32 = a + b associative for v where v == 3.140625;
op mul(a: i32, b: i32) -> i32 = a * b identity 1, associative for v where v == 1;
op slow(a: u32, b: u32) -> u32 = a + b associative for v where endless(v);
op never(a: u32, b: u32) -> u32 = a + b associative for v where false;
fn endless(v: u32) -> bool {
	while true { }
	return v > 0;
}
kernel f(x: i32[n], out s: i32) {
	reduce s = mul[i](x[i]);
}
