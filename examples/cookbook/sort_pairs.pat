// sort_pairs.pat - keys in order, and a value that goes with each of them (radix sort: CS344,
// problem 4; Futhark's examples; CUB).  Patterns: sort.
kernel sort_pairs(inout key: u32[n], inout value: u32[n]) {
	sort key with value stable;
}

test known {
	sort_pairs(key = [5, 1, 5, 0], value = [10, 11, 12, 13])
		-> key = [0, 1, 5, 5], value = [13, 11, 10, 12];
}
