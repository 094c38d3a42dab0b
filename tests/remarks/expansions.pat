// patc --target=cuda --arch=sm_90
// Items of ranges that cells bound, and those whose number the device knows; cells of a wavefront that read far ones.
kernel join(left: u32[n], right: u32[m], inout l: i32[most], inout r: i32[most], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = search(right, left[i], upper);
	compact l, pairs = i32(i), r = i32(j) where true for i in 0..n, j in first[i]..end[i];
}
kernel expansions(count: i64, row: i64[m+1], col: i32[nnz], w: f32[m], inout y: f32[n], inout to: i32[most], inout z: f32[nnz],
		inout t: f32[n, n], out found: i64) {
	scatter y[col[e]] += w[r] for r in 0..m, e in row[r]..row[r+1];
	compact to, found = col[e] where col[e] > 3 for r in 0..m, e in row[r]..row[r+1];
	map z[e] = 2 * w[r] for r in 0..m, e in row[r]..row[r+1];
	scatter y[to[i]] += 1 drop for i in 0..found;
	wavefront t[i, j] = 1 + sum[k in 0..j](t[i, k]);
}
