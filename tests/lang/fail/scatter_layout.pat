struct S { a, b: f32 }
op join(a: S, b: S) -> S = a.a < b.a || (a.a == b.a && a.b < b.b) ? a : b associative, commutative;
kernel f(k: i32[n], x: S[n], inout p: S[m] layout soa) {
	scatter p[k[i]] join= x[i];
}
