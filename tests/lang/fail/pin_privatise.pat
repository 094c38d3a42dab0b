kernel f(k: i32[n], x: f32[n], inout y: f32[m], inout z: f32[n], inout w: f32[m], inout h: i32[1000000]) {
	ordered: scatter y[k[i]] += x[i] strict;
	own: map z[i] = x[i];
	long: histogram w[k[i]] += x[i];
	many: histogram h[k[i]] += 1;
}
schedule f for cuda { ordered: privatise; own: privatise hot; long: privatise first 20000; many: privatise 4; }
kernel g(k: i32[n], inout y: f32[m], inout h: i32[m]) {
	records: scatter y[k[i]] += 1, h[k[i]] += 1;
}
schedule g for cuda { records: privatise hot; }
struct C { n: i32, w: f32 }
op both(a: C, b: C) -> C = C(a.n + b.n, max(a.w, b.w)) identity C(0, -inf), associative, commutative;
kernel fields(k: i32[n], inout h: C[16], inout y: C[m] layout soa) {
	structs: histogram h[k[i]] both= C(1, f32(i));
	apart: scatter y[k[i]] both= C(1, f32(i));
}
schedule fields for cuda { structs: privatise; apart: privatise hot; }
