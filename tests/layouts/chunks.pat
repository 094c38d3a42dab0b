// chunks.pat - items in so many chunks that each has cells of its own, and one cell more than that.
struct P { least, ones: f64 }
op both(a: P, b: P) -> P = P(min(a.least, b.least), a.ones + b.ones) identity P(inf, 0), associative, commutative;
kernel counts(k: i32[n], x: f32[n], inout h: u32[m], inout s: f32[m], inout r: f32[m], inout q: i32[7], inout p: P[3]) {
	histogram h[k[i]] += 1;
	scatter s[k[i]] += x[i];
	histogram r[k[i]] += x[i] strict;
	histogram q[k[i + j] % 7] max= k[i] - i32(j) where k[i + j] >= 0 for i in 0..n - 2, j in 0..3;
	scatter p[k[i] % 2] both= P(f64(x[i]), 1);
}
