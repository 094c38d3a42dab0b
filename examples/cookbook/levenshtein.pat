// levenshtein.pat - how many letters must be changed, put in or left out to make one text of
// another (Futhark's benchmarks).  Patterns: wavefront.
kernel levenshtein(a: u8[n], b: u8[m], out distance: i32) {
	require n >= 1, m >= 1;
	let d: i32[n, m];
	wavefront d[i, j] = min(d[i-1, j-1] + (a[i] == b[j] ? 0 : 1), d[i-1, j] + 1, d[i, j-1] + 1)
		boundary (i32(i + j) + 2);
	map distance = d[n-1, m-1];
}

test known {
	levenshtein(a = [107, 105, 116, 116, 101, 110], b = [115, 105, 116, 116, 105, 110, 103])
		-> distance = 3;
	levenshtein(a = [1], b = [1, 2, 3]) -> distance = 2;
}
