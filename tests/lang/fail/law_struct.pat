struct C { re, im: f32 }
struct M { a, b, c, d: i32 }
op half(a: C, b: C) -> C = C(0.5 * (a.re + b.re), 0.5 * (a.im + b.im)) associative;
op mmul(x: M, y: M) -> M = M(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
	x.c * y.b + x.d * y.d) identity M(1, 0, 0, 1), associative, commutative;
op cmul(a: C, b: C) -> C = C(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re) identity C(1, 1), associative;
kernel f(x: C[n], out s: C) {
	reduce s = cmul[i](x[i]);
}
