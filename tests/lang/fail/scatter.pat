struct S { a, b: f32 }
op less(a: f32, b: f32) -> f32 = a - b;
op left(a: f32, b: f32) -> f32 = a associative;
op join(a: S, b: S) -> S = S(a.a + b.a, a.b + b.b) identity S(0, 0), associative, commutative;
kernel f(k: i32[n], x: f32[n], inout y: f32[m], inout z: f32[n], inout s: f32, inout p: S[m] layout soa) {
	scatter y[k[i]] = x[i];
	scatter y[k[i]] /= x[i];
	scatter y[k[i]] less= x[i];
	scatter y[k[i]] left= x[i] strict;
	scatter s += x[i] for i in 0..n;
	scatter z[k[i]] += z[i];
	scatter z[k[i]] += x[i] where z[i] > 0;
	scatter y[k[i]] += x[i], y[k[i]] max= x[i];
	scatter z[i + 1] += x[i];
	scatter y[k[i]] count= x[i];
}
