struct Segment { sum, best, prefix, suffix: i32 }
op then(p: Segment, q: Segment) -> Segment = Segment(p.sum + q.sum,
	max(p.best, q.best, p.suffix + q.prefix), max(p.prefix, p.sum + q.prefix),
	max(q.suffix, q.sum + p.suffix))
	identity Segment(0, 0, 0, 0), associative
	for v where v.best >= 0;
op least(a: i32, b: i32) -> i32 = min(a, b) + 1 associative for v where v >= 0;
op sub(a: i8, b: i8) -> i8 = i8(clamp(i16(a) - i16(b), 0, 127)) identity 0 for v where v >= 0;
op first(a: i32, b: i32) -> i32 = a commutative for v where v > 5;
op plus(a: i32, b: i32) -> i32 = a + b distributes over prod for v where v >= 1;
struct T { to: u8[4] }
op compose(p: T, q: T) -> T =
	T([q.to[p.to[0] & 3], q.to[p.to[1] & 3], q.to[p.to[2] & 3], q.to[p.to[3] & 3]])
	identity T([0, 1, 2, 3]), associative
	for v where v.to[0] < 8 && v.to[1] < 8 && v.to[2] < 8 && v.to[3] < 8;
kernel f(x: i32[n], out s: i32) {
	reduce s = sum[i](x[i]);
}
