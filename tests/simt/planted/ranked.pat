kernel ranked(x: f32[n, m], k: i32[n], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], k[i] & 3); }
kernel ranked_bins(bind: u8[n], x: f64[5, n+9000], inout v: f64[5]) { reduce v[i] = kth[j](x[i, j], 3000 * i - 1); }
kernel ranked_large(bind: u8[n], x: i16[2, n+80000], c: i32[2], inout v: i16[2]) {
	reduce v[i] = kth[j](x[i, j], (c[i] & 15) + 30000 * i);
}
kernel ranked_several(x: f32[3, n, m], inout v: f32[3]) { reduce v[b] = kth[i, j in 1..m](x[b, i, j], n * (m - 1) / 3 + b); }
