struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re)
	identity C(1, 0), associative, commutative, distributes over cadd;
kernel g(x: C[n], steps: i32, inout y: C[n] layout soa) {
	let t: C[n];
	repeat k < steps {
		scan t[i] = (t[i-1] ○ y[i]) ◇ x[i] using ○ = cmul, ◇ = cadd;
		swap t, y;
	}
}
