op last(a: i32, b: i32) -> i32 = b == i32.min ? a : b identity i32.min, associative;
kernel lower(row: i32[n+1], col: i32[nnz], v: f32[nnz], d: f32[n], b: f32[n], out x: f32[n]) {
	wavefront x[i] = (b[i] - sum[e in row[i]..row[i+1]](v[e] / 64 * x[col[e]])) / (2 + abs(d[i]));
}
kernel upper(row: i64[n+1], col: u32[nnz], v: f64[nnz], b: f64[n], out x: f64[n]) {
	wavefront x[i] = b[i] - sum[e in row[i]..row[i+1] where i64(col[e]) != i](v[e] / 64 * x[col[e]]) from right;
}
kernel many(row: i32[n+1], col: i32[nnz], v: i32[nnz], inout x: i32[n, m]) {
	require nnz <= 16 * n + 64;
	wavefront x[i, c] = x[i, c] - sum[e in row[i]..row[i+1] where col[e] < i](v[e] * x[col[e], c]);
}
kernel below(row: i32[n+1], col: i64[nnz], v: i64[nnz], b: i64[n, m], out x: i64[n, m]) {
	require nnz <= 16 * n + 64;
	wavefront x[i, c] = b[i, c] - sum[e in row[i]..row[i+1]](v[e] * x[col[e], c]) drop from below;
}
kernel abreast(row: i32[n+1], col: i16[nnz], v: i32[nnz], b: i32[m, n], out x: i32[m, n]) {
	require nnz <= 16 * n + 64;
	wavefront x[c, i] = b[c, i] + sum[e in row[i]..row[i+1]](v[e] ^ x[c, col[e]]);
}
kernel longest(row: i32[n+1], col: i32[nnz], w: f32[nnz], out far: f32[n], out via: i64[n]) {
	wavefront far[i] = max(0, max[e in row[i]..row[i+1] where col[e] < i](far[col[e]] + w[e])),
	          via[i] = argmax[e in row[i]..row[i+1]](far[col[e]]);
}
kernel ordered(row: i32[n+1], col: i32[nnz], v: f32[nnz], b: f32[n], out x: f32[n], out y: i32[n]) {
	wavefront x[i] = b[i] - sum[e in row[i]..row[i+1]](v[e] / 64 * x[col[e]]) strict;
	wavefront y[i] = i32(i) ^ last[e in row[i]..row[i+1]](y[col[e]]);
}
kernel inner(row: i32[n+1], col: i32[nnz], q: i32[n], inout x: i32[n]) {
	wavefront x[i] = x[i] + sum[e in row[i]..row[i+1] where e % 3 > 0](x[col[e]]) for i in 2..n where q[i] % 2 == 0;
}
kernel degrees(k: i64, row: i32[n+1], col: i32[nnz], out x: i32[n], out y: u8[n]) {
	wavefront x[i] = i32(count[e in row[i]..row[i+1]](x[col[e]] % 2 == 0)), y[i] = u8(i) + (any[e in row[i]..row[i+1]](y[col[e]] > 9) ? 2 : 1);
}
kernel depth(parent: i32[n], out d: i32[n]) {
	wavefront d[i] = parent[i] < 0 ? 0 : d[parent[i]] + 1;
}
kernel fixed(col: i32[n, 3], w: i32[n, 3], out x: i32[n]) {
	wavefront x[i] = 1 + sum[e](w[i, e] * x[col[i, e]]);
}
kernel spaced(back: u8[n], inout x: u32[n]) {
	wavefront x[i] = x[i] * 3 + x[i - 1 - back[i]] for i in 1..n;
}
kernel pinned(row: i32[n+1], col: i32[nnz], v: i32[nnz], out x: i32[n]) {
	all: wavefront x[i] = 1 + sum[e in row[i]..row[i+1]](v[e] * x[col[e]]);
}
schedule pinned for cuda { all: sweep diagonal; }
schedule pinned for hip { all: sweep ready; }
kernel vouched(q: u8[n, 3], inout x: i32[n], out y: i32[n], out top: i32) {
	wavefront x[i] = x[i] + sum[e where i > 10](x[i - 1 - (q[i, e] & 7)]) trusted;
	wavefront y[i] = x[i] + sum[e where i > 10](y[i - 1 - (q[i, e] & 7)]) trusted;
	reduce top = max[i](y[i]);
}
kernel vouched_right(q: u8[n, 3], inout x: i32[n, m]) {
	wavefront x[i, c] = x[i, c] + sum[e where i < n - 10](x[i + 1 + (q[i, e] & 7), c]) trusted from below;
}
test sparse {
	lower(row = [0, 0, 1, 3], col = [0, 0, 1], v = [64, 128, 192], d = [1, 0, 1], b = [3, 8, 22]) -> x = [1, 3.5, 3.16666667];
	lower(row = [0, 1, 2, 4], col = [0, 1, 0, 3], v = 64, d = 0, b = [2, 4, 7]) -> x = [1, 2, 3] status index;
	lower(row = [0], col = 0, v = 0, d = 0, b = 0, n = 0, nnz = 0);
	lower(row = [0, 0], col = 0, v = 0, d = 0, b = [6], nnz = 0) -> x = [3];
	upper(row = [0, 2, 3, 3], col = [1, 2, 2], v = 64, b = [9, 5, 3]) -> x = [4, 2, 3];
	many(row = [0, 1, 2], col = [0, 0], v = 2, x = [[1, 2], [3, 4]]) -> x = [[1, 2], [1, 0]];
	below(row = [0, 1, 2], col = [1, -1], v = 2, b = [[1, 2], [3, 4]]) -> x = [[-5, -6], [3, 4]];
	abreast(row = [0, 0, 1], col = [0], v = 1, b = [[2, 3], [4, 5]]) -> x = [[2, 6], [4, 10]];
	longest(row = [0, 0, 1, 3], col = [0, 0, 1], w = [2, 1, 3]) -> far = [0, 2, 5], via = [-1, 0, 2];
	ordered(row = [0, 0, 1], col = [0], v = 64, b = [1, 5]) -> x = [1, 4], y = [-2147483648, -2147483647];
	inner(row = [0, 1, 2, 4], col = [1, 1, 1, 0], q = 0, x = [5, 6, 7]) -> x = [5, 6, 13];
	degrees(k = 0, row = [0, 0, 1, 3], col = [0, 0, 1]) -> x = [0, 1, 1], y = [1, 2, 3];
	depth(parent = [-1, 0, 1, 1]) -> d = [0, 1, 2, 2];
	depth(parent = [-1, 1, 0], d = 7) -> d = [0, 7, 1] status index;
	fixed(col = [[-1, 0, 1], [0, 0, 0]], w = [[1, 1, 1], [1, 2, 3]]) -> x = [1, 7] status index;
	spaced(back = [0, 0, 1, 9], x = [1, 1, 1, 1]) -> x = [1, 4, 4, 1] status index;
}
