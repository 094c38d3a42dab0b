fn words(next: i32[n]) -> i32 {
	var at: i32 = 0;
	while next[at] > 0 every 3 at most n { at = next[at]; }
	return at;
}
