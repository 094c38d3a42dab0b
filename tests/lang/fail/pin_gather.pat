kernel f(k: i32[n], x: f32[n], inout y: f32[m], inout z: f32[n]) {
	data: scatter y[k[i]] += x[i] strict;
	own: map z[i] = x[i];
	fine: scatter z[i] += x[i];
}
op last(a: i32, b: i32) -> i32 = max(a, b) associative, commutative;
struct Two { a, b: f32 }
kernel g(k: i32[n], at: i64[n+1], v: i32[n], inout y: i32[m], inout z: Two[m], inout w: i32[m, m, m, m]) {
	none: scatter y[k[i]] last= v[i];
	parts: scatter z[k[i]].a += f32(v[i]);
	late: scatter y[k[e]] += v[i] for i in 0..n, e in at[i]..at[i+1];
	axes: scatter w[k[i], k[i], k[i], k[i]] += v[i];
	both: scatter y[k[i]] += v[i] for i in 0..n;
}
schedule f for cuda { data: gather; own: gather; fine: gather; }
schedule g for cuda { none: gather; parts: gather; late: gather; axes: gather; both: gather; both: privatise; }
