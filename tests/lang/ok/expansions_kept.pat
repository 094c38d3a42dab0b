// Ranges of `for` that cells bound, in compacts: their items in order, kept and rejected.
kernel next(count: i64, q: i32[k], row: i32[m+1], col: i32[nnz], seen: u8[n], out to: i32[cap], out found: i64) {
	compact to, found = col[e] where seen[col[e]] == 0 for f in 0..count, e in row[q[f]]..row[q[f]+1];
}
kernel parts(row: u16[m+1], x: f32[n], inout low: f32[a], inout high: f32[b], inout at: i64[a], inout at_high: i64[b], out k: i32) {
	compact low, k = x[e], at = r where x[e] < 0.5 else (high, at_high) for r in 0..m, e in row[r]..row[r+1];
}
kernel joined(lo: i64[n], hi: i64[n], x: i32[m], inout left: i32[c], inout right: i32[c]) {
	compact left = i32(i), right = x[j] where true for i in 0..n, j in lo[i]..hi[i] unordered;
}
test items {
	next(count = 2, q = [2, 0, 7], row = [0, 2, 2, 3], col = [0, 1, 1], seen = [0, 0], cap = 5) -> found = 3;
	next(count = 2, q = [2, 0, 7], row = [0, 2, 2, 3], col = [0, 1, 1], seen = [1, 0], cap = 2) -> to = [1, 1], found = 2;
	parts(row = [0, 1, 3], x = [0, 1, 0], low = [9, 9], high = [9, 9], at = [9, 9], at_high = [9, 9]) -> low = [0, 0], high = [1, 9], at = [0, 1], at_high = [1, 9], k = 2;
}
