struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re)
	identity C(1, 0), associative, commutative, distributes over cadd;
kernel f(x: C[n], w: C[n] layout soa, out y: C[n] layout soa) {
	scan y[i] = (y[i-1] ○ w[i]) ◇ x[i] using ○ = cmul, ◇ = cadd;
}
