kernel taken(x: f32[n, m], y: f32[n], k: i32, inout v: f32[n]) {
	reduce v[i] = kth[j where x[i, j] > y[i]](x[i, j], k);
}
kernel taken_bins(bind: u8[n], x: f64[5, n+9000], k: i32, inout v: f64[5]) {
	reduce v[i] = kth[j where x[i, j] < 1](-x[i, j], 100 * k);
}
kernel taken_large(bind: u8[n], x: i16[2, n+80000], inout v: i16[2]) {
	reduce v[i] = kth[j where x[i, j] > 3 || i == 0](x[i, j], 30000);
}
kernel none_taken(bind: u8[n], x: u32[n+70000], inout v: u32) {
	reduce v = kth[i where i < 6](x[i], 6);
}
