// ranges - statements over ranges that cells bound, beside the same with the range of each item stored.
kernel range_values(row: i32[m+1], w: f32[m], inout y: f32[n]) {
	gather y[e] = w[r] for r in 0..m, e in row[r]..row[r+1];
}
kernel range_scatter(row: i32[m+1], col: i32[n], w: f32[m], inout y: f32[k]) {
	scatter y[col[e]] += w[r] for r in 0..m, e in row[r]..row[r+1];
}
kernel range_compact(row: i32[m+1], col: i32[n], inout to: i32[n], inout from: i32[n],
                     out count: i64) {
	compact to, count = col[e], from = i32(r) where col[e] % 2 == 0
		for r in 0..m, e in row[r]..row[r+1];
}
kernel stored_compact(of: i32[n], col: i32[n], inout to: i32[n], inout from: i32[n],
                      out count: i64) {
	compact to, count = col[e], from = of[e] where col[e] % 2 == 0;
}
kernel range_all(row: i32[m+1], col: i32[n], inout to: i32[n], inout from: i32[n], out count: i64) {
	compact to, count = col[e], from = i32(r) where true for r in 0..m, e in row[r]..row[r+1];
}
kernel join(left: u32[n], right: u32[m], inout l: i32[most], inout r: i32[most], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = search(right, left[i], upper);
	compact l, pairs = i32(i), r = i32(j) where true for i in 0..n, j in first[i]..end[i];
}
kernel bfs_queue(source: i32, passes: i64, row: i32[m+1], col: i32[n], inout depth: i32[m],
                 out levels: i32) {
	let queue: i32[m];
	let next: i32[m];
	let edge: i32[m];
	let count: i64 = 1;
	let found: i64;
	map queue[i] = source, edge[i] = i32.max, depth[i] = i == source ? 0 : -1;
	map levels = 0;
	repeat until count == 0 at most passes {
		scatter edge[col[e]] min= i32(e) where depth[col[e]] < 0
			for f in 0..count, e in row[queue[f]]..row[queue[f]+1];
		compact next, found = col[e] where depth[col[e]] < 0 && edge[col[e]] == i32(e)
			for f in 0..count, e in row[queue[f]]..row[queue[f]+1];
		map levels = levels + 1;
		scatter depth[next[i]] = levels unique for i in 0..found;
		swap queue, next;
		map count = found;
	}
}
kernel bfs_sweep(source: i32, passes: i64, row: i32[m+1], col: i32[n], inout depth: i32[m],
                 out levels: i32) {
	let changed: i64 = 1;
	map depth[i] = i == source ? 0 : -1;
	map levels = 0;
	repeat until changed == 0 at most passes {
		let next: i32[m];
		reduce next[v] = depth[v] >= 0 ? depth[v]
			: any[e in row[v]..row[v+1]](depth[col[e]] >= 0) ? levels + 1 : -1;
		reduce changed = count[v](next[v] != depth[v]);
		map depth[v] = next[v];
		map levels = levels + 1;
	}
}
