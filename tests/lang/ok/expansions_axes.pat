// Ranges of `for` that cells bound, by several indices, and beside other indices.

// rows of a ragged table, of each problem of a batch
kernel batch(row: i32[b, m+1], col: i32[nnz], w: f32[b, m], inout y: f32[b, n]) {
	scatter y[p, col[e]] += w[p, r] for p in 0..b, r in 0..m, e in row[p, r]..row[p, r+1];
}
kernel box(x0: i32[n, m], x1: i64[n, m], x: i32[k], inout most: i32[8], inout count: i64[n]) {
	scatter most[e & 7] max= x[e] + i32(j), count[i] += 1 for i in 0..n, j in 0..m, e in x0[i, j]..x1[i, j];
}
// the bounds are sums over cells that one index subscripts
kernel sums(lo: i32[n], step: i64, inout y: i64[m]) {
	scatter y[e] += 10 * i + j drop for i in 0..n, j in 0..3, e in lo[i]+j..lo[i]+2*j;
}
kernel three(row: u16[n, m, k+1], inout y: i64[c]) {
	histogram y[e] += 1 + l drop for i in 0..n, j in 1..m, l in 0..k, e in row[i, j, l]..row[i, j, l+1];
}
// device scalars say how many there are
kernel counted(rows: i64, cols: i32, lo: i32[n, m], hi: i32[n, m], x: i32[k], inout to: i64[most], out found: i64) {
	let r: i64;
	let c: i64;
	map r = rows, c = i64(cols);
	compact to, found = 100 * i + 10 * j + e where x[e] >= 0 for i in 0..r, j in 0..c, e in lo[i, j]..hi[i, j];
}
kernel kept(row: i32[n, m+1], x: i32[k], inout a: i64[p], inout b: i64[q], out found: i32) {
	compact a, found = 100 * i + 10 * j + e where x[e] > 0 else b for i in 0..n, j in 0..m, e in row[i, j]..row[i, j+1];
}
// indices before and after the range, in the order that is written
kernel after(row: i32[m+1], x: i32[n], c: i64, inout to: i64[most], out found: i64) {
	compact to, found = 100 * r + 10 * e + k where x[e] > k for r in 0..m, e in row[r]..row[r+1], k in 1..c;
}
kernel before(row: i32[m+1], x: i32[n], inout to: i64[most], out found: i64) {
	compact to, found = 100 * k + 10 * r + e where x[e] > k for k in 0..2, r in 0..m, e in row[r]..row[r+1];
}
kernel around(row: i32[m+1], x: i32[n, c], inout to: i64[most], inout no: i64[most], out found: i64) {
	compact to, found = 1000 * k + 100 * r + 10 * e + l where x[e, l] > h else no
		for k in 0..2, r in 0..m, e in row[r]..row[r+1], l in 0..c, h in -1..1;
}
kernel alone(row: i32[2], x: i32[n], inout to: i64[most], out found: i64) {
	compact to, found = 100 * k + 10 * e + l where x[e] > 0 for k in 0..2, e in row[0]..row[1], l in 0..3;
}
kernel ordered(row: u16[m+1], x: f32[n], inout y: f32[b]) {
	scatter y[(e + k) % 4] += x[e] + f32(k) for l in 0..2, r in 0..m, e in row[r]..row[r+1], k in 0..3 strict;
}
// cells
kernel cells(row: i32[n, m+1], val: f32[n, m], inout y: f32[n, k]) {
	gather y[i, e] = val[i, j] for i in 0..n, j in 0..m, e in row[i, j]..row[i, j+1];
}
kernel promised(at: i32[n, m], row: u32[l+1], val: i32[n, m], inout y: i32[k]) {
	map y[e] = val[i, j] unique for i in 0..n, j in 0..m, e in row[at[i, j]]..row[at[i, j]+1];
}
kernel shared(row: i32[n, m+1], col: i32[k], inout y: i64[q], inout to: i32[most], out found: i64) {
	scatter y[col[e]] += i for i in 0..n, j in 0..m, e in row[i, j]..row[i, j+1];
	compact to, found = col[e] where col[e] > 0 for r in 0..n, c in 0..m, e in row[r, c]..row[r, c+1];
	compact to, found = col[e] + i32(l) where true for r in 0..n, c in 0..m, e in row[r, c]..row[r, c+1], l in 0..2;
}
test axes {
	batch(row = [[0, 2, 2], [2, 2, 3]], col = [0, 1, 1], w = [[1, 10], [100, 1000]], y = [[0, 0], [0, 0]])
		-> y = [[1, 1], [0, 1000]];
	batch(row = [[0, 2, 1], [2, 9, 3]], col = [0, 1, 1], w = [[1, 10], [100, 1000]], y = [[0, 0], [0, 0]])
		-> y = [[1, 1], [0, 100]] status index;
	box(x0 = [[0, 1], [3, 2]], x1 = [[2, 1], [4, 4]], x = [5, 6, 7, 8], most = 0, count = [0, 0])
		-> most = [5, 6, 8, 9, 0, 0, 0, 0], count = [2, 3];
	box(x0 = [[-1, 1]], x1 = [[2, 1]], x = [5, 6, 7, 8], most = 0, count = [0])
		-> most = [5, 6, 0, 0, 0, 0, 0, 0], count = [3] status index;
	sums(lo = [0, 2], step = 1, y = [0, 0, 0, 0, 0, 0, 0]) -> y = [0, 1, 2, 13, 12, 12, 0];
	three(row = [[[0, 9, 9], [0, 1, 3]]], y = [0, 0, 0, 0]) -> y = [1, 2, 2, 0];
	counted(rows = 2, cols = 1, lo = [[0, 1], [1, 0]], hi = [[2, 2], [2, 2]], x = [1, 1], to = [0, 0, 0, 0])
		-> to = [0, 1, 101, 0], found = 3;
	counted(rows = 2, cols = 3, lo = [[0, 1], [1, 0]], hi = [[2, 2], [2, 2]], x = [1, 1], to = [0, 0, 0, 0, 0, 0])
		-> to = [0, 1, 11, 101, 110, 111], found = 6 status index;
	counted(rows = -2, cols = 9, lo = [[0, 1], [1, 0]], hi = [[2, 2], [2, 2]], x = [1, 1], to = [0, 0])
		-> to = [0, 0], found = 0;
	kept(row = [[0, 1, 3], [1, 1, 2]], x = [1, 0, 1], a = [9, 9, 9], b = [9, 9, 9])
		-> a = [0, 12, 9], b = [11, 111, 9], found = 2;
	after(row = [0, 1, 1, 3], x = [2, 9, 1], c = 3, to = [0, 0, 0, 0]) -> to = [1, 211, 212, 0], found = 3;
	after(row = [0, 1, 1, 3], x = [2, 9, 1], c = 1, to = [0, 0, 0, 0]) -> to = [0, 0, 0, 0], found = 0;
	after(row = [0, 1, 1, 3], x = [2, 9, 1], c = -5, to = [0, 0, 0, 0]) -> to = [0, 0, 0, 0], found = 0;
	before(row = [0, 1, 3], x = [1, 2, 0], to = [0, 0, 0, 0]) -> to = [0, 101 + 10 - 100, 111, 0], found = 3;
	alone(row = [1, 3], x = [1, 1, 0], to = [0, 0, 0, 0, 0, 0, 0])
		-> to = [10, 11, 12, 110, 111, 112, 0], found = 6;
	ordered(row = [0, 1, 2], x = [10, 20], y = [0, 0, 0, 0, 0]) -> y = [20, 62, 66, 44, 0];
	cells(row = [[0, 1, 3], [1, 2, 2]], val = [[1, 2], [3, 4]], y = [[0, 0, 0], [0, 0, 0]])
		-> y = [[1, 2, 2], [0, 3, 0]];
	promised(at = [[0, 2], [1, 3]], row = [1, 2, 4, 4], val = [[1, 2], [3, 4]], y = [0, 0, 0, 0, 0])
		-> y = [0, 1, 3, 3, 0] status index;
	shared(row = [[0, 2], [1, 2]], col = [0, 1], y = [0, 0], to = [0, 0, 0, 0, 0, 0])
		-> y = [0, 1], to = [0, 1, 1, 2, 1, 2], found = 6;
}
