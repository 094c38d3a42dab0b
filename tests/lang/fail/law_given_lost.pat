op near(a: i32, b: i32) -> i32 = a + b identity 0, associative for v where v < 10 && v > -10;
op sat(a: i8, b: i8) -> i8 = i8(clamp(i16(a) + i16(b), -128, 127))
	identity 0, associative for v where v >= -100;
struct P { sum, best: f32 }
op after(p: P, q: P) -> P = P(p.sum + q.sum, max(p.best, p.sum + q.best))
	identity P(0, 0), associative for v where v.best >= v.sum && v.best >= 0 && v.sum <= 64;
op add(a: u8, b: u8) -> u8 = a + b associative, commutative for v where v % 2 == 1;
op twice(a: u8, b: u8) -> u8 = 2 * a + 2 * b distributes over add for v where true;
op thrice(a: u8, b: u8) -> u8 = 3 * a + 3 * b distributes over even;
op even(a: u8, b: u8) -> u8 = a + b associative, commutative for v where v < 128 && v % 2 == 0;
kernel f(x: i32[n], out s: i32) {
	reduce s = sum[i](x[i]);
}
