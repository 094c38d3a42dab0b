// join.pat - the pairs of rows of two tables that have the same key (JOIN of SQL).
// Patterns: map with search, compact over ranges that data decide.
kernel join(left: i32[n], right: i32[m], out l: i32[most], out r: i32[most], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = search(right, left[i], upper);
	compact l, pairs = i32(i), r = i32(j) where true for i in 0..n, j in first[i]..end[i];
}

test known {
	join(left = [3, 7, 3], right = [1, 3, 3, 8], most = 4)
		-> l = [0, 0, 2, 2], r = [1, 2, 1, 2], pairs = 4;
	join(left = [3, 7, 3], right = [1, 3, 3, 8], most = 2) -> pairs = 4 status full;
}
