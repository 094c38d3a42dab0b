// partition.pat - the cells that satisfy a condition, and the others, each in their order
// (Futhark's filter and partition; stream compaction of CS344, unit 4).  Patterns: compact.
kernel partition(limit: f32, x: f32[n], out less: f32[n], out more: f32[n], out count: i64) {
	compact less, count = x[i] where x[i] < limit else more;
}

test known {
	partition(limit = 3, x = [5, 1, 4, 2, 3]) -> count = 2;
	partition(limit = 3, x = [1, 2, 0]) -> less = [1, 2, 0], count = 3;
	partition(limit = 3, x = [7, 3]) -> more = [7, 3], count = 0;
}
