// unique.pat - the different values of an array, in order, and how often each occurs (sort -u;
// Futhark's removal of duplicates).  Patterns: sort, compact, stencil.
kernel unique(inout x: i32[n], out value: i32[n], out times: i64[n], out count: i64) {
	let start: i64[n];
	sort x;
	compact start, count = i, value = x[i] where i == 0 || x[i] != x[i-1];
	stencil times[k] = (k + 1 < count ? start[k+1] : n) - start[k] for k in 0..count
		boundary (0);
}

test known {
	unique(x = [3, 1, 3, 2, 1, 3]) -> x = [1, 1, 2, 3, 3, 3], count = 3;
	unique(x = [3, 1, 2]) -> value = [1, 2, 3], times = 1, count = 3;
}
