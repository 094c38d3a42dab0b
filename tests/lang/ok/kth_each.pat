// A position for each sequence: of an array, of indices, of counts; short sequences, by blocks, by all blocks; none in some.
kernel each_rows(x: f32[n, m], k: i32[n], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], k[i]); }
kernel each_median(x: f32[n, m], inout v: f32[n], out c: i64[n]) {
	reduce c[i] = count[j](x[i, j] > 0);
	reduce v[i] = kth[j where x[i, j] > 0](x[i, j], (c[i] - 1) / 2);
}
kernel each_index(x: i32[m, 12, n], inout v: i32[n, m]) { reduce v[i, j] = kth[l](x[j, l, i] - i32(j), i % 20 - 4); }
kernel each_wide(x: f64[n, m], k: u64[n+2], s: i64, inout v: f64[n+3]) {
	reduce v[i+1] = kth[j in 1..m](x[i, j], i64(k[i+2]) + s - 40) for i in 0..n;
}
kernel each_bytes(x: u8[n, 3], k: u8[n], inout v: u8[n]) { reduce v[i] = kth[j](x[i, j], k[i] % 4); }
// zeros of both signs, NaN, equal keys
kernel each_special(k: i32[m], inout v: f32[m]) {
	let x: f32[m, 9];
	map x[i, j] = j % 4 == 0 ? -f32(0) : j % 4 == 1 ? f32(0) : j == 6 && i % 3 == 0 ? f32(0) / f32(0) : f32(i % 7);
	reduce v[i] = kth[j](x[i, j], (k[i] & 15) - 3);
}
kernel each_bins(bind: u8[n], x: f64[5, n+9000], k: i32[5], inout v: f64[5]) {
	reduce v[i] = kth[j](-x[i, j], i < 3 ? 4000 * i : k[i] - 9000);
}
kernel each_bytes_bins(bind: u8[n], x: u8[4, n+9000], inout v: u8[4]) {
	reduce v[i] = kth[j where x[i, j] > 40 * i](x[i, j], 2500 * i - 1) for i in 0..4;
}
kernel each_large(bind: u8[n], x: f32[4, n+80000], c: i64[4], inout v: f32[4]) {
	reduce v[i] = kth[j](x[i, j], i == 0 ? n / 2 : i == 1 ? n + 79999 : i == 2 ? c[2] | 100000000 : i64(37));
}
kernel each_large_some(bind: u8[n], x: i16[3, n+80000], inout v: i16[3], out c: i64[3]) {
	reduce c[i] = count[j](x[i, j] > 3 * i);
	reduce v[i] = kth[j where x[i, j] > 3 * i](x[i, j], i == 1 ? c[i] : c[i] / 2);
}
kernel each_cell(x: i16[n], k: i32[m+1], inout v: i16) { reduce v = kth[i](x[i], k[0]); }
kernel each_computed(x: f32[n, m], y: f32[n], inout v: f32[n]) {
	let k: i32[n];
	map k[i] = y[i] > 0 ? 1 : -1;
	reduce v[i] = kth[j](x[i, j], k[i]);
}
kernel each_loop(x: f32[n, m], steps: i32, k: i32[n], inout v: f32[n]) {
	repeat t < steps { reduce v[i] = kth[j](x[i, j], k[i] + t); }
}
kernel each_empty(x: f32[n, m], k: i32[n], inout v: f32[n]) {
	reduce v[i] = kth[j where x[i, j] > 1 && x[i, j] < 1](x[i, j], k[i]);
}
test of_each {
	each_rows(x = [[1, 5, 3], [9, 4, 8], [3, 2, 1], [1, 2, 3]], k = [1, 2, 3, -1], v = 7) -> v = [3, 9, 7, 7] status index;
	each_rows(x = [[1, 5, 3], [9, 4, 8]], k = [1, 2], v = 7) -> v = [3, 9] status ok;
	each_median(x = [[1, -5, 3], [9, 4, 8], [-3, -2, 0]], v = 7) -> v = [1, 8, 7], c = [2, 3, 0] status index;
	each_cell(x = [4, 9, 2], k = [1, 0], v = 0) -> v = 4;
	each_empty(x = [[1, 5, 3], [9, 4, 8]], k = [0, 0], v = 7) -> v = [7, 7] status index;
}
