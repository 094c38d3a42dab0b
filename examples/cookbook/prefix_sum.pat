// prefix_sum.pat - running sums, with and without the cell itself, and begun anew in each segment
// (CS344, unit 3; Futhark's segmented scan).  Patterns: scan.
kernel prefix_sum(x: i32[n], out upto: i32[n], out before: i32[n]) {
	scan upto[i] = sum(x[i]);
	scan before[i] = sum(x[i]) exclusive;
}
kernel prefix_sum_of_segments(x: f32[n], begins: bool[n], out upto: f32[n]) {
	scan upto[i] = sum(x[i]) heads begins;
}

test known {
	prefix_sum(x = [3, 1, 4, 1, 5]) -> upto = [3, 4, 8, 9, 14], before = [0, 3, 4, 8, 9];
	prefix_sum_of_segments(x = [3, 1, 4, 1, 5], begins = [true, false, true, false, false])
		-> upto = [3, 4, 4, 5, 10];
}
