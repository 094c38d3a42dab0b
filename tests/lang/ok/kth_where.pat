// A k-th value of the cells that a condition takes: short sequences, longer ones, large ones; keys that look like pads; too few.
kernel some_rows(x: f32[n, m], y: f32[n], k: i32, inout v: f32[n]) {
	reduce v[i] = kth[j where x[i, j] > y[i]](x[i, j], k);
}
kernel some_inner(x: i16[n, m], inout v: i16[n]) {
	reduce v[i] = kth[j where j > 0 && x[i, j-1] < x[i, j]](x[i, j] - x[i, j-1], 1);
}
kernel some_last(x: u32[n], k: i64, inout v: u32) {
	reduce v = kth[i where i % 2 == 0](x[i] % 3 == 0 ? u32(0) : u32(4294967295), k);
}
kernel some_bins(bind: u8[n], x: f64[5, n+9000], k: i32, inout v: f64[5]) {
	reduce v[i] = kth[j where x[i, j] < 1](-x[i, j], 100 * k);
}
kernel some_bytes(bind: u8[n], x: u8[4, n+9000], inout v: u8[4]) {
	reduce v[i] = kth[j where x[i, j] > 40 * i](x[i, j], 2000) for i in 1..4;
}
kernel some_large(bind: u8[n], x: i16[2, n+80000], inout v: i16[2]) {
	reduce v[i] = kth[j where x[i, j] > 3 || i == 0](x[i, j], 30000);
}
kernel some_wide(bind: u8[n], x: u64[n+70000], inout v: u64) {
	reduce v = kth[i where i % 8 != 3](x[i], 60000 - n);
}
kernel none_large(bind: u8[n], x: u32[n+70000], inout v: u32) {
	reduce v = kth[i where i < 6](x[i], 6);
}
kernel few_large(bind: u8[n], x: u32[n+70000], inout v: u32) {
	reduce v = kth[i where i < 6](x[i] | u32(4294967040), 5);
}
kernel some_map(x: f32[n, m], inout v: f32[n]) {
	let d: f32[n, m];
	map d[i, j] = abs(x[i, j]);
	reduce v[i] = kth[j where d[i, j] < 2](d[i, j], 0);
}
test of_some {
	some_last(x = [3, 1, 1, 1, 1, 7, 5], k = 3, v = 7) -> v = 4294967295;
	some_last(x = [3, 1, 1, 1, 1, 7, 5], k = 4, v = 7) -> status index;
	some_rows(x = [[1, 5, 3], [9, 4, 8]], y = [2, 0], k = 1, v = [0, 0]) -> v = [5, 8];
	some_rows(x = [[1, 5, 3], [9, 4, 8]], y = [2, 0], k = 2, v = [0, 0]) -> status index;
	some_inner(x = [[1, 5, 3, 9]], v = [0]) -> v = [6];
	none_large(bind = [0], x = 1, v = 0) -> status index;
}
