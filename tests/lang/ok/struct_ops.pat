// Operators on structs: to a scalar, along rows and columns, behind cells, in a window; with an identity
// and without one, in order where they do not commute.  Integers wrap, so their results are exact.
struct C { re, im: f32 }
struct M { a, b, c, d: u32 }
struct Best { v: i32, at: i64 }
struct V { f: i32[3], k: u8, odd: bool }
struct Pair { m: M, sign: i8 }
struct Moments { n: i64, mean, m2: f64 }
struct Large { a: u64[20] }

op cmul(a: C, b: C) -> C = C(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
	identity C(1, 0), associative, commutative;
op cadd(a: C, b: C) -> C = C(a.re + b.re, a.im + b.im) identity C(0, 0), associative, commutative;
op mmul(x: M, y: M) -> M = M(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
	x.c * y.b + x.d * y.d) identity M(1, 0, 0, 1), associative;
op best(a: Best, b: Best) -> Best = a.v > b.v || (a.v == b.v && a.at < b.at) ? a : b
	associative, commutative;
op vadd(a: V, b: V) -> V {
	var r = a;
	for i in 0..3 { r.f[i] = a.f[i] + b.f[i]; }
	r.k = u8(a.k + b.k);
	r.odd = a.odd ^ b.odd;
	return r;
} associative, commutative;
op pmul(a: Pair, b: Pair) -> Pair = Pair(mmul(a.m, b.m), i8(a.sign ^ b.sign)) associative;
op merge(a: Moments, b: Moments) -> Moments {
	if a.n == 0 { return b; }
	if b.n == 0 { return a; }
	let n = a.n + b.n;
	let d = b.mean - a.mean;
	return Moments(n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n);
} assume identity Moments(0, 0, 0), assume associative, assume commutative;
op ladd(a: Large, b: Large) -> Large {
	var r = a;
	for i in 0..20 { r.a[i] = a.a[i] + b.a[i] * 3; }
	return r;
} assume associative;
op first(a: M, b: M) -> M = a associative;
op last(a: M, b: M) -> M = b associative;

kernel totals(x: M[n], y: C[n], v: f64[n], out s: M, out t: C, out u: Moments, out w: C) {
	reduce s = mmul[i](x[i]);
	reduce t = cadd[i](cmul(y[i], C(0.5, -0.25)));
	reduce u = merge[i](Moments(1, v[i], 0));
	reduce w = cmul[i where i % 61 == 0](y[i]);
}
kernel totals_some(size: u8[n], x: i32[n + 1], v: V[n + 1], p: Pair[n + 1], m: M[n + 1], out b: Best, out r: i64,
                   out s: V, out q: Pair, out f: M, out l: M) {
	reduce b = best[i](Best(x[i], i)), r = best[i](Best(-i32(x[i]), i)).at + 1;
	reduce s = vadd[i](v[i]);
	reduce q = pmul[i](p[i]);
	reduce f = first[i](m[i]), l = last[i](m[i]);
}
kernel rows(x: M[m, n], out s: M[m], out t: C[m], y: C[m, n]) {
	reduce s[i] = mmul[j](x[i, j]);
	reduce t[i] = cadd[j](y[i, j]);
}
kernel columns(x: M[m, n], out s: M[n], y: C[m, n], out t: C[n]) {
	reduce s[j] = mmul[i](x[i, j]);
	reduce t[j] = cadd[i where i % 2 == 0](y[i, j]);
}
kernel rows_some(size: u8[n], x: i32[m, n + 1], p: Pair[m, n + 1], out s: Best[m], out q: Pair[m], out t: V[n + 1],
                 v: V[m, n + 1]) {
	reduce s[i] = best[j](Best(x[i, j], j));
	reduce q[i] = pmul[j](p[i, j]);
	reduce t[j] = vadd[i in 0..1](v[i, j]) for j in 0..(m > 0 ? n + 1 : 0);
}
kernel columns_some(size: u8[m, n], x: i32[m + 1, n], p: Pair[m + 1, n], out s: Best[n], out q: Pair[n]) {
	reduce s[j] = best[i](Best(x[i, j], i));
	reduce q[j] = pmul[i](p[i, j]);
}
kernel planes(x: M[2, m, n], out s: M[2], out t: M[m]) {
	reduce s[k] = mmul[i, j](x[k, i, j]);
	reduce t[i] = mmul[k, j](x[k, i, j]);
}
kernel behind(size: u8[n], x: i32[n + 2], out y: i32[n + 2], out s: Best) {
	stencil y[i] = x[i-1] + x[i+1] boundary clamp;
	reduce s = best[i](Best(y[i], i));
}
kernel window(x: M[n], out y: M[n], out z: M[n]) {
	stencil y[i] = mmul[k in -1..2](x[i+k]) boundary wrap;
	stencil z[i] = first[k in 0..3 where k % 2 == 1](x[i+k]) for i in 0..n-2;
}
kernel large(size: u8[n], x: Large[n + 1], out s: Large, out t: Large[n + 1]) {
	reduce s = ladd[i](x[i]);
	reduce t[i] = ladd[k in 0..i+1](x[k]);
}
kernel assign(x: M[n], inout y: M[n], out s: u32) {
	map y[i] mmul= x[i];
	let t: M = mmul[i](y[i]);
	map s = t.a + t.d;
}
