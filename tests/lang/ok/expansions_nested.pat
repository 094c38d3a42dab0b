// Ranges of `for` that cells bound, in cells of other such ranges: the neighbours of neighbours.

kernel hops(row: i32[m+1], col: i32[nnz], w: f32[nnz], inout y: f32[n]) {
	require nnz < 200, m < 200;
	scatter y[col[g]] += w[e] * w[g] for f in 0..m, e in row[f]..row[f+1], g in row[col[e]]..row[col[e]+1];
}
// a product of sparse matrices, into a dense one
kernel product(a_row: i32[n+1], a_col: i32[na], a: f32[na], b_row: i64[m+1], b_col: i32[nb], b: f32[nb], inout c: f32[n, l]) {
	require na < 200, nb < 200;
	scatter c[i, b_col[f]] += a[e] * b[f] for i in 0..n, e in a_row[i]..a_row[i+1], f in b_row[a_col[e]]..b_row[a_col[e]+1];
}
// edges between two neighbours of a vertex
kernel wedges(row: i32[m+1], col: i32[nnz], inout count: i64[n], inout both: u32[b]) {
	require nnz < 200;
	histogram count[col[e]] += 1 drop for v in 0..m, e in row[v]..row[v+1], g in e+1..row[v+1];
	scatter both[(col[e] ^ col[g]) & 7] += 1 where col[e] < col[g] for v in 0..m, e in row[v]..row[v+1], g in row[v]..row[v+1];
}
kernel queue(count: i64, q: i32[k], row: u32[m+1], col: i32[nnz], x: i64[nnz], inout most: i64[8]) {
	require nnz < 200, k < 200;
	scatter most[g & 7] max= x[g] + i64(t) for f in 0..count, e in row[q[f]]..row[q[f]+1], t in 0..2,
		g in row[col[e]]..row[col[e]+1];
}
kernel ordered(row: u16[m+1], at: i32[n], x: f32[n], inout y: f32[b]) {
	require n < 200;
	scatter y[g % 4] += x[g] * f32(e) for f in 0..m, e in row[f]..row[f+1], g in at[e]..at[e]+2 strict;
}
// three deep, and two ranges of one index
kernel deep(a: i32[m+1], b: i32[n+1], c: i64[k+1], x: i32[l], inout y: i32[q]) {
	require n < 40, k < 40, l < 40;
	scatter y[h % 5] += x[h] for i in 0..m, e in a[i]..a[i+1], g in b[e]..b[e+1], h in c[g]..c[g+1];
	scatter y[h % 7] -= x[h] drop for i in 0..m, e in a[i]..a[i+1], h in c[i]..c[i+1];
}
kernel cells(row: i32[m+1], at: i32[nnz+1], x: i32[nnz], inout y: i32[nnz, k], inout z: i64[k]) {
	require nnz < 200;
	gather y[e, g] = x[e] + i32(f) for f in 0..m, e in row[f]..row[f+1], g in at[e]..at[e+1];
}
kernel promised(row: i32[m+1], at: i32[n+1], x: i64[m], inout y: i64[k]) {
	require n < 200, k < 200;
	gather y[g] = x[f] + g unique for f in 0..m, e in row[f]..row[f+1], g in at[e]..at[e+1];
}
test nested {
	promised(row = [0, 1, 3], at = [0, 1, 1, 2], x = [10, 20], y = [0, 0, 0]) -> y = [10, 21, 0];
	hops(row = [0, 2, 2, 3], col = [0, 1, 0], w = [1, 10, 100], y = [0, 0]) -> y = [101, 1010];
	hops(row = [0, 2, 2, 3], col = [0, 7, -1], w = [1, 10, 100], y = [0, 0]) -> y = [1, 0] status index;
	hops(row = [0, 2, 1, 9], col = [0, 1, 0], w = [1, 10, 100], y = [0, 0]) -> y = [101, 1010] status index;
	product(a_row = [0, 2, 3], a_col = [0, 2, 1], a = [1, 2, 3], b_row = [0, 1, 1, 3], b_col = [1, 0, 1], b = [5, 6, 7],
		c = [[0, 0], [0, 0]]) -> c = [[12, 19], [0, 0]];
	wedges(row = [0, 3], col = [0, 1, 2], count = [0, 0, 0], both = 0, b = 8) -> count = [2, 1, 0], both = [0, 1, 1, 1, 0, 0, 0, 0];
	queue(count = 2, q = [1, 0, 9], row = [0, 1, 3], col = [0, 1, 0], x = [5, 6, 7], most = 0)
		-> most = [6, 7, 8, 0, 0, 0, 0, 0];
	ordered(row = [0, 1, 2], at = [0, 1], x = [3, 5], y = [0, 0, 0, 0]) -> y = [0, 5, 0, 0] status index;
	deep(a = [0, 1, 2], b = [0, 2, 3], c = [0, 1, 2, 4], x = [1, 2, 3, 4], y = [0, 0, 0, 0, 0, 0, 0])
		-> y = [0, 0, 3, 4, 0, 0, 0];
	cells(row = [0, 1, 2], at = [0, 1, 3], x = [5, 6], y = [[0, 0, 0], [0, 0, 0]], z = [0, 0, 0]) -> y = [[5, 0, 0], [0, 7, 7]];
}
