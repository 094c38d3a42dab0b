// histograms.pat - items and bins: counts and weights of every kind of operator, bins of the block's own and too many for that.
struct Photo { l, a: u8 }
fn fill(a: u8, b: u8) -> u8 = u8(min(i32(a) + i32(b), 255));
op fills(a: u8, b: u8) -> u8 = fill(a, b) identity 0, associative, commutative;
fn bin(x: f32) -> i32 = i32(floor(4 * x));
kernel counts(x: u8[n], y: u8[n, m], inout h: i32[256], inout g: u32[16, 16], inout c: u64[64]) {
	histogram h[x[i]] += 1;
	histogram g[y[i, j] / 16, y[i, j] % 16] += 1 where i != j;
	histogram c[y[i, j] % 64] += u64(x[i]) for i in 1..n, j in 0..m-1;
}
kernel weights(k: i32[n], x: f32[n], d: f64[n], inout h: f32[m], inout e: f64[m], inout l: i32[m], inout t: f32[m], inout p: f32[m]) {
	histogram h[k[i]] += x[i];
	histogram e[k[i]] -= d[i] drop;
	histogram l[k[i]] max= i32(i);
	histogram t[k[i]] max= x[i];
	histogram p[k[i]] += x[i] strict;
}
kernel small(x: f32[n], k: u8[n], v: f16[n], q: Photo[n], inout s: u8[100], inout f: f16[40], inout b: i16[m], inout o: bool[m]) {
	histogram s[k[i] % 100] fills= k[i];
	histogram f[k[i] % 40] += v[i];
	histogram b[bin(x[i])] += 1 drop;
	histogram o[q[i].l % 8] any= q[i].a > 100;
}
kernel many(k: u32[n], inout h: i32[10000], inout g: i64[3]) {
	histogram h[k[i] % 10000] += 1;
	histogram g[i % 3] += i for i in 0..n;
}
schedule counts for cpu { privatise; }
schedule weights for cpu { privatise 4; }
schedule small for cpu { privatise; }
test of_histograms {
	weights(k = [1, 1, 5, -1], x = [1, 2, 3, 4], d = 1, h = [1, 1], e = [0, 0], l = [0, 0], t = 0, p = 0)
		-> h = [1, 4], e = [0, -2], l = [0, 1], t = [0, 2], p = [0, 3] status index;
	many(k = [3, 10003, 3], h = 0, g = [1, 1, 1]) -> g = [1, 2, 3] ;
}
