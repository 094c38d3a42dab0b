// Scatters whose subscripts are affine: each cell folds the items that reach it.
struct Pair { a: f32, b: i32 }
op both(p: u8, q: u8) -> u8 = u8(min(i32(p) + i32(q), 255)) identity 0, associative, commutative;
op plus(p: Pair, q: Pair) -> Pair = Pair(p.a + q.a, max(p.b, q.b)) identity Pair(0, -2147483648), associative, commutative;

fn patc_max_f32(a: f32, b: f32) -> f32 = a * b;
fn max_f32(a: f32, b: f32) -> f32 = a - b;

kernel convolved(x: f32[n], w: f32[m], inout y: f32[n + m]) {
	scatter y[i+j] += w[j] * x[i];
}
kernel five(x: f64[n], w: f64[5], inout y: f64[n + 4]) {
	scatter y[i + j] += w[j] * x[i];
}
kernel spread(x: f32[n, m], w: f32[3, 3], inout y: f32[n + 2, m + 2]) {
	scatter y[i + p, j + q] += w[p, q] * x[i, j] where x[i, j] > 0;
}
kernel upsampled(x: f32[n], w: f32[4], v: f32[m], inout y: f32[2*n + 2], inout z: f32[3*n + m]) {
	scatter y[2*i + p] += w[p] * x[i];
	scatter z[3*i + k] += v[k] * x[i];
}
kernel holes(x: i32[n], inout y: i32[3*n + 1], inout z: i32[2*n + 4*m]) {
	scatter y[3*i + p] += x[i] * i32(p + 1) for i in 0..n, p in 0..2;
	scatter z[2*i + 4*j] += x[i] + i32(j) for i in 0..n, j in 0..m;
}
kernel diagonals(a: f32[n, m], inout d: f32[n + m], inout e: f32[n + m], inout t: i64[n]) {
	scatter d[i + j] += a[i, j];
	scatter e[i - j + m] max= max_f32(patc_max_f32(a[i, j], 2), 1);
	scatter t[n - 1 - i] += i + j where a[i, j] > 0 for i in 0..n, j in 0..m;
}
kernel fluxes(f: f32[n], inout u: f32[n + 1], inout v: i32[2*n]) {
	scatter u[i] -= f[i], u[i + 1] += f[i] for i in 0..n;
	scatter v[2*i] += i32(f[i]), v[2*i + 1] -= i32(i) for i in 0..n;
}
kernel folded(a: f32[n, m], b: f32[m, k], inout c: f32[n, k], inout rows: f64[n], inout low: i32[m], inout v: f32[n, m], q: f32[p]) {
	scatter c[i, j] += a[i, l] * b[l, j] for i in 0..n, j in 0..k, l in 0..m;
	scatter rows[i] += f64(a[i, j]) for i in 0..n, j in 0..m;
	scatter low[j] min= i32(a[i, j]) where j != 2 for i in 0..n, j in 0..m;
	scatter v[i, j] += q[e] / f32(1 + e + i) for e in 0..p, i in 0..n, j in 0..m;
}
kernel triangles(a: f32[n, n], inout s: f32[n], inout t: f32[n], inout d: f32[n, n], inout e: f32[2*n, n]) {
	scatter s[j] += a[i, j] for i in 0..n, j in 0..i;
	scatter t[i] += a[i, j] for i in 0..n, j in 0..i;
	scatter d[i, i] += a[i, j] for i in 0..n, j in 0..n;
	scatter e[i + j, j] += a[i, j];
}
kernel parts(p: Pair[n], w: f32[m], inout q: Pair[n + m], inout r: Pair[n], inout c: u8[n + 3], k: u8[n]) {
	scatter q[i + j].a += p[i].a * w[j], q[i + j].b max= p[i].b;
	scatter r[i] plus= p[i] for i in 0..n, j in 0..3;
	scatter c[i + j] both= k[i] for i in 0..n, j in 0..3;
}
kernel kinds(x: u8[n], h: f16[n], b: bool[n], inout s: u8[n + 2], inout g: f16[n + 2], inout o: bool[n + 4], inout x2: u32[n + 2]) {
	scatter s[i + j] += x[i] for i in 0..n, j in 0..3;
	scatter g[i + j] max= h[i] for i in 0..n, j in 0..3;
	scatter o[i + 2*j] any= b[i] for i in 0..n, j in 0..3;
	scatter x2[i + j] ^= u32(x[i]) + 1 for i in 0..n, j in 0..3;
}
kernel several(x: f32[n], inout y: f32[n + 4], inout z: i32[n]) {
	scatter y[i + j] += x[i], z[i] += i32(j) for i in 0..n, j in 0..5;
}
kernel tested(x: f32[n], at: i32[k], inout y: f32[k + 2], inout z: f32[k + 2]) {
	scatter y[i + j] += x[at[i]] for i in 0..k, j in 0..3;
	scatter z[i + j] += x[at[i] + 1] drop for i in 0..k, j in 0..3;
}
kernel stepped(x: f32[b, n], w: f32[5], inout y: f32[b, n + 8], inout z: f32[n + 6]) {
	repeat t < 3 {
		scatter y[c, i + j + t] += w[j] * x[c, i] where i > t for c in 0..b, i in 0..n, j in 0..5;
		scatter z[i + j + k] += f32(t) for i in 0..n, j in 0..3, k in 0..4;
	}
}
kernel lazy(x: bool[c], at: i32[n], inout y: bool[n], inout z: bool[n], inout v: bool[n + 1]) {
	scatter y[i] all= x[at[i]];
	scatter z[i] any= x[at[i]] for i in 0..n, j in 0..3;
	scatter v[i + j] any= x[at[i]] for i in 0..n, j in 0..2;
}
kernel wide(x: f32[n, m], w: f32[7, 5], v: f32[6], inout y: f32[n + 6, m + 4], inout z: f32[3*n + 3, 2*m + 2]) {
	scatter y[i + p, j + q] += w[p, q] * x[i, j];
	scatter z[3*i + p, 2*j + q] max= x[i, j] * v[p] for i in 0..n, j in 0..m, p in 0..6, q in 0..4;
}
kernel inner(x: f64[n], h: u8[n, m], inout y: f64[n + 3], inout z: u8[n + 2, m + 2], k: i32) {
	require n >= 3;
	scatter y[i + j] += f64(j - 1) * x[i] for i in 1..n - 1, j in 0..4;
	scatter y[i + j + 1] min= x[i] where j <= i64(k) for i in 0..n, j in -1..3;
	scatter z[i + p, j + q] |= h[i, j] for i in 0..n, j in 0..m, p in 0..3, q in 0..3;
}
kernel bounded(x: f32[n], s: i64, inout y: f32[n + 2], inout z: f32[4, n + 3], inout c: f32[5], inout w: f32[2*n + 9]) {
	require s >= 0, n > 2;
	scatter y[i + j] += x[i] for i in s..n, j in 0..3;
	repeat t < 3 {
		scatter z[t, i + j] += x[i] for i in 0..n, j in 0..4;
		scatter z[3, j] -= x[j] for i in 0..2, j in 0..n;
	}
	scatter c[3] += x[i] for i in 0..n, j in 0..2;
	scatter w[2*i - p + 5] -= x[i] for i in 1..n - 1, p in -2..4;
	scatter w[2*i + p + 2] += i >= 0 ? x[i] : 1 for i in -1..n, p in 0..5;
}
test of_items {
	bounded(x = [1, 2, 3], s = 9223372036854775807, y = 0, z = 0, c = 0, w = 0) -> y = 0, c = [0, 0, 0, 12, 0];
	convolved(x = [1, 2], w = [1, 10], y = [0, 0, 5, 7]) -> y = [1, 12, 25, 7];
	fluxes(f = [1, 2], u = [0, 0, 0], v = [0, 0, 0, 0]) -> u = [-1, -1, 2], v = [1, 0, 2, -1];
	tested(x = [1, 2], at = [0, 1, 5], y = [0, 0, 0, 0, 0], z = [0, 0, 0, 0, 0]) -> y = [1, 3, 3, 2, 0], z = [2, 2, 2, 0, 0] status index;
	lazy(x = [true], at = [1, 0], y = false, z = true, v = true) -> y = false, z = true, v = true status index;
}
