// patc --target=cuda --arch=sm_90
// Items of ranges that cells bound, and those whose number the device knows; cells of a wavefront that read far ones.
kernel expansions(count: i64, row: i64[m+1], col: i32[nnz], w: f32[m], inout y: f32[n], inout to: i32[most], inout z: f32[nnz],
		inout t: f32[n, n], out found: i64) {
	scatter y[col[e]] += w[r] for r in 0..m, e in row[r]..row[r+1];
	compact to, found = col[e] where col[e] > 3 for r in 0..m, e in row[r]..row[r+1];
	map z[e] = 2 * w[r] for r in 0..m, e in row[r]..row[r+1];
	scatter y[to[i]] += 1 drop for i in 0..found;
	wavefront t[i, j] = 1 + sum[k in 0..j](t[i, k]);
}
