// Ranges of `for` that cells of arrays bound: the items of all ranges, one range after another.
struct Edge { from, to: i32, w: f32 }

kernel spread(row: i32[m+1], col: i32[nnz], w: f32[m], inout y: f32[n]) {
	scatter y[col[e]] += w[r] for r in 0..m, e in row[r]..row[r+1];
}
kernel queue(count: i64, q: i32[k], row: i32[m+1], col: i32[nnz], inout y: u32[n]) {
	scatter y[col[e]] += 1 for f in 0..count, e in row[q[f]]..row[q[f]+1];
}
kernel lines(len: i64[n], x0: i32[n], inout y: u32[m]) {
	histogram y[x0[l] + k] += 1 drop for l in 0..n, k in 0..len[l];
}
kernel between(from: u32[n], to: u32[n], x: f64[m], inout most: f64[b], inout sum: i64[b]) {
	scatter most[j % 7] max= x[j], sum[(i + j) % 5] += i for i in 0..n, j in from[i]..to[i] drop;
}
kernel one(first: i32[k], which: i32, x: f32[n], inout y: f32[m]) {
	scatter y[i % 3] += x[i] for i in first[which]..first[which + 1] drop;
}
kernel ordered(row: u16[m+1], x: f32[n], inout y: f32[b]) {
	scatter y[e % 4] += x[e] for r in 0..m, e in row[r]..row[r+1] strict;
}
kernel channels(row: i64[m+1], col: i32[nnz], x: f32[m, c], inout y: f32[n, c]) {
	scatter y[col[e], j] += x[r, j] for r in 0..m, e in row[r]..row[r+1], j in 0..c;
}
kernel placed(row: i32[m+1], at: i32[nnz], s: f32[m], inout y: f32[n]) {
	scatter y[at[e]] = s[r] unique for r in 0..m, e in row[r]..row[r+1];
}
kernel inner(row: i32[m+1], col: i32[nnz], inout y: u32[n]) {
	scatter y[col[e]] += 1 where e % 2 == 0 for r in 1..m-1, e in row[r]..row[r+1];
}
kernel trust(row: i32[m+1], col: i32[nnz], inout y: u32[n]) {
	require n > 0;
	scatter y[col[e]] += u32(r) for r in 0..m, e in row[r]..row[r+1] trusted;
}
kernel steps(rounds: i64, row: i32[m+1], edge: Edge[nnz], x: f32[n], inout y: f32[n], inout reached: i64) {
	let some: i64;
	repeat t < rounds {
		map some = min(m, t + 2);
		scatter y[edge[e].to] max= x[edge[e].from] * edge[e].w for r in 0..some, e in row[r]..row[r+1];
		map reached = some;
	}
}
test places {
	spread(row = [0, 2, 2, 3], col = [0, 1, 1], w = [1, 10, 100], y = [0, 0, 0]) -> y = [1, 101, 0];
	spread(row = [0, 2, 1, 3], col = [0, 1, 1], w = [1, 10, 100], y = [0, 0, 0]) -> y = [1, 201, 0] status index;
	spread(row = [0, 2, 2, 9], col = [0, 1, 1], w = [1, 10, 100], y = [0, 0, 0]) -> y = [1, 101, 0] status index;
	queue(count = 2, q = [2, 0, 7], row = [0, 2, 2, 3], col = [0, 1, 1], y = [0, 0, 0]) -> y = [1, 2, 0];
	queue(count = 3, q = [2, 9, 0], row = [0, 2, 2, 3], col = [0, 1, 1], y = [0, 0, 0]) -> y = [1, 2, 0] status index;
	queue(count = 4, q = [2, 2, 0], row = [0, 2, 2, 3], col = [0, 1, 1], y = [0, 0, 0]) -> y = [1, 3, 0] status index;
	queue(count = -1, q = [2, 2, 0], row = [0, 2, 2, 3], col = [0, 1, 1], y = [0, 0, 0]) -> y = [0, 0, 0];
	lines(len = [2, 0, 3], x0 = [0, 1, 3], m = 5, y = 0) -> y = [1, 1, 0, 1, 1];
	one(first = [1, 3, 9], which = 0, x = [1, 2, 3, 4], y = [0, 0, 0, 0]) -> y = [0, 2, 3, 0];
	ordered(row = [0, 2, 2, 4], x = [1, 2, 3, 4], y = [0, 0, 0, 0, 0]) -> y = [1, 2, 3, 4, 0];
	channels(row = [0, 1, 3], col = [1, 0, 1], x = [[1, 2], [10, 20]], y = [[0, 0], [0, 0]]) -> y = [[10, 20], [11, 22]];
	inner(row = [0, 2, 3, 5], col = [0, 1, 1, 0, 0], y = [0, 0]) -> y = [0, 1];
}
