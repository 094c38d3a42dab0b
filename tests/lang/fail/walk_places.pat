fn steps(n: i64) -> i64 {
	var k: i64 = n;
	while k > 1 at most 100 { k = k / 2; }
	return k;
}
fn follow(x: i64[n], from: i64) -> i64 {
	var k: i64 = from;
	while k > 1 at most n { k = x[k]; }
	return k;
}
op slow(a: i64, b: i64) -> i64 = steps(a + b) associative;
kernel f(inout x: i64[n], inout y: i64[n], k: i64) {
	require steps(k) > 1;
	repeat t < steps(n) { map x[i] = 2 * x[i]; }
	let s: i64 = 1;
	repeat until steps(s) < 1 at most 10 { map s = s + 1; }
	if steps(k) > 3 { map x[i] = 1; }
	map x[i] = 1 for i in 0..steps(k);
	reduce s = sum[i in 0..steps(k)](x[i]);
	repeat t < follow(y, 3) { map x[i] = 2 * x[i]; }
	map x[i] = follow(x, x[i]);
}
