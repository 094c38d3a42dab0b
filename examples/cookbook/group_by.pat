// group_by.pat - sum, count and largest of the values that have the same key (GROUP BY of SQL).
// Patterns: map, scatter.
kernel group_by(key: u32[n], x: f32[n], out total: f32[groups], out count: i32[groups],
                out most: f32[groups]) {
	map total[g] = 0, count[g] = 0, most[g] = -inf;
	scatter total[key[i]] += x[i], count[key[i]] += 1, most[key[i]] max= x[i];
}

test known {
	group_by(key = [1, 0, 1, 1], x = [5, 2, 3, 4], groups = 3)
		-> total = [2, 12, 0], count = [1, 3, 0], most = [2, 5, -inf];
	group_by(key = [0, 9], x = [5, 2], groups = 1) -> status index;
}
