struct P { sum, best: f32 }
op after(p: P, q: P) -> P = P(p.sum + q.sum, max(p.best, p.sum + q.best))
	identity P(0, -1), associative for v where v.best >= v.sum && v.best >= 0;
op most(a: i32, b: i32) -> i32 = max(a, b) identity i32.min, associative for v where v >= 0;
op more(a: f32, b: f32) -> f32 = max(a, b) identity 0, associative
	for v where 2 * v > v;
kernel f(x: i32[n], out s: i32) {
	reduce s = most[i](x[i]);
}
