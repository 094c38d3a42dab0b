struct P { a: f32 }
op o(a: P, b: P) -> P = a associative;
kernel f(p: P[n], out s: P) {
	reduce s = o[i](p[i]);
}
