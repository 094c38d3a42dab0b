struct P { a: f32 }
fn two() -> f32 = 2;
op o(a: P, b: P) -> P = P(a.a + b.a) identity P(two()), associative;
kernel f(x: P[n], out s: P) {
	reduce s = o[i](x[i]);
}
