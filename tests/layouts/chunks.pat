// chunks.pat - items in so many chunks that each has cells of its own, and one cell more than that.
kernel counts(k: i32[n], x: f32[n], inout h: u32[m], inout s: f32[m], inout r: f32[m], inout q: i32[7]) {
	histogram h[k[i]] += 1;
	scatter s[k[i]] += x[i];
	histogram r[k[i]] += x[i] strict;
	histogram q[k[i + j] % 7] max= k[i] - i32(j) where k[i + j] >= 0 for i in 0..n - 2, j in 0..3;
}
