// Ranges of `for` that cells bound, in maps and gathers: each cell is in one range.
kernel fill(row: i32[m+1], s: f32[m], x: f32[n], inout y: f32[n]) {
	map y[e] = x[e] * s[r] for r in 0..m, e in row[r]..row[r+1];
}
kernel spread(at: i64[m], row: u32[k+1], val: i32[m], inout y: i32[n], inout place: i64[n]) {
	gather y[e] = val[r] + i32(at[r]), place[e] = e - i64(row[at[r]]) for r in 0..m, e in row[at[r]]..row[at[r]+1] unique;
}
kernel grid(row: i32[m+1], val: f32[c, m], inout y: f32[c, n]) {
	gather y[j, e] += val[j, r] for r in 0..m, e in row[r]..row[r+1], j in 0..c drop;
}
test a {
	fill(row = [0, 1, 3], s = [2, 3], x = [1, 1, 1, 1], y = [0, 0, 0, 0]) -> y = [2, 3, 3, 0];
	spread(at = [1, 0], row = [0, 1, 3], val = [7, 8], y = [0, 0, 0, 0], place = [9, 9, 9, 9]) -> y = [8, 8, 8, 0], place = [0, 0, 1, 9];
	grid(row = [0, 1, 3], val = [[1, 2], [3, 4]], y = [[0, 0, 0], [0, 0, 0]]) -> y = [[1, 2, 2], [3, 4, 4]];
	fill(row = [0, 9, 3], s = [2, 3], x = [1, 1, 1, 1], y = [0, 0, 0, 0]) -> y = [2, 2, 2, 2] status index;
}
