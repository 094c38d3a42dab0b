struct P { a: i32 }
op o(a: P, b: P) -> P = P(a.a + b.a) associative;
kernel f(x: P[n], y: P[n, 3], out s: P, out t: P[n]) {
	reduce s = o[i](x[i]);
	reduce t[i] = o[k where k > i](y[i, k]);
}
