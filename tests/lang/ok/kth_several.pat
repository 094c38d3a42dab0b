// A k-th value over several indices: of all cells, of blocks of rows, of ranges; short sequences, by blocks, by all blocks.
kernel several_all(x: f32[n, m], k: i64, inout v: f32) { reduce v = kth[i, j](x[i, j], k); }
kernel several_rows(x: i32[n, 3, m], k: i32[n], inout v: i32[n]) { reduce v[b] = kth[i, j](x[b, i, j], k[b] & 31); }
kernel several_median(x: f64[m, n, 5], inout v: f64[n], out c: i64[n]) {
	reduce c[b] = count[i, j](x[i, b, j] > 0);
	reduce v[b] = kth[i, j where x[i, b, j] > 0](x[i, b, j], (c[b] - 1) / 2);
}
kernel several_ranges(x: u8[n+2, m+3, 4], w: u8[m+3], inout v: u8[m+3]) {
	reduce v[j] = kth[i in 1..n+1, l in 1..4](x[i, j, l] ^ w[j], n / 2) for j in 2..m+2;
}
kernel several_cubes(x: i16[n, 2, m, 3], inout v: i16[m]) { reduce v[p] = kth[i, j, l](x[i, j, p, l] - i16(j), i64(p) + n); }
kernel several_outer(x: f32[n], y: f32[m], inout v: f32) { reduce v = kth[i, j](x[i] * y[j], n * m / 2); }
// ranges that sizes make empty, of sequences and of rows
kernel several_none(x: f32[4], y: f32[l, p], inout v: f32[4]) {
	reduce v[i] = kth[a in 0..l-1, b in 0..p-1](x[i] - y[a, b], 0);
}
kernel rows_none(x: f32[n, m, 4], inout v: f32[n, m]) { reduce v[i, j] = kth[l](x[i, j, l], 1) for i in 0..n-1, j in 0..m-1; }
kernel several_bins(bind: u8[n], x: f64[90, 4, n+100], k: i32[4], inout v: f64[4]) {
	reduce v[b] = kth[i, j](-x[i, b, j], 4000 + (k[b] & 1023));
}
kernel several_bins_some(bind: u8[n], x: u8[4, 90, n+100], inout v: u8[4]) {
	reduce v[b] = kth[i, j in 1..n+99 where x[b, i, j] > 40 * b](x[b, i, j], 2000 * b - 1);
}
kernel several_large(bind: u8[n], x: f32[300, n+300], k: i32, inout v: f32) { reduce v = kth[i, j](x[i, j], 40000 + k % 1000); }
kernel several_large_rows(bind: u8[n], x: i16[2, 400, n+200], inout v: i16[2]) {
	reduce v[b] = kth[i, j where x[b, i, j] > 3 || b == 0](x[b, i, j], i64(30000) * (b + 1));
}
kernel several_turned(x: f32[n, m, 5] layout col, k: i32[m], inout v: f32[m]) { reduce v[b] = kth[i, l](x[i, b, l], k[b] & 7); }
kernel several_map(x: f32[n, m], inout v: f32) {
	let d: f32[n, m];
	map d[i, j] = abs(x[i, j]);
	reduce v = kth[i, j where d[i, j] < 2](d[i, j], 3);
}
kernel several_let(x: f32[n, m], out y: f32[n, m]) {
	let middle: f32 = kth[i, j](x[i, j], n * m / 2);
	map y[i, j] = x[i, j] - middle;
}
test of_several {
	several_all(x = [[4, 1, 7], [3, 9, 2]], k = 2, v = 0) -> v = 3;
	several_all(x = [[4, 1, 7], [3, 9, 2]], k = 6, v = 0) -> v = 0 status index;
	several_rows(x = [[[4, 1], [7, 3], [9, 2]], [[5, 5], [5, 5], [5, 6]]], k = [4, 5], v = 0) -> v = [7, 6];
	several_median(x = [[[3, 1, 2, -1, 0], [0, 0, 0, 0, 0]]], v = 7) -> v = [2, 7], c = [3, 0] status index;
	several_let(x = [[4, 1, 7], [3, 9, 2]]) -> y = [[0, -3, 3], [-1, 5, -2]];
	several_outer(x = [1, 2, 3], y = [1, -1], v = 0) -> v = 1;
}
