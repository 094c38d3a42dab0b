// A k-th value of a part of each sequence, of some of them: short, by blocks, by all blocks.
kernel part_rows(x: f32[n+4, m+3], k: i32, inout v: f32[n+4]) {
	reduce v[i] = kth[j in 2..m+3](x[i, j], k) for i in 1..n+2;
}
kernel part_one(x: i16[n+1], k: i64, out v: i16) { reduce v = kth[i in 1..n+1](x[i], k); }
kernel part_columns(x: u64[20*n+5, m+2], inout v: u64[m+2]) {
	reduce v[j] = kth[i in n..20*n+5](x[i, j], 3) for j in 1..m+1;
}
kernel part_bins(bind: u8[n], x: f64[5, n+9000], inout v: f64[5]) {
	reduce v[i] = kth[j in 700..n+8999](-x[i, j], 4000) for i in 2..4;
}
kernel part_large(bind: u8[n], x: u32[3, n+80000], inout v: u32[3]) {
	reduce v[i] = kth[j in 9000..n+79000](x[i, j], 40000) for i in 0..2;
}
kernel part_cubes(x: i32[m+2, n+1, 9], inout v: i32[n+1, m+2]) {
	reduce v[i, j] = kth[l in 1..8](x[j, i, l], 2) for i in 1..n+1, j in 1..m+1;
}
kernel part_none(x: f32[n], y: f32[m], inout v: f32[n]) {
	reduce v[i] = kth[j in 3..m](y[j] + x[i], 0) for i in 1..n;
}
test of_parts {
	part_one(x = [9, 4, 8, 6], k = 0) -> v = 4;
	part_one(x = [-9, 4, 8, 6], k = 3) -> status index;
	part_none(x = [1, 2], y = [5, 5, 5, 7], v = [0, 0]) -> v = [0, 9];
	part_none(x = [1, 2], y = [5, 5], v = [0, 0]) -> status index;
}
