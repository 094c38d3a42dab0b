fn forever(next: i32[n]) -> i32 {
	var at: i32 = 0;
	while next[at] > 0 { at = next[at]; }
	return at;
}
fn words(next: i32[n]) -> i32 {
	var at: i32 = 0;
	while next[at] > 0 at most n more { at = next[at]; }
	while next[at] > 0 at least n { at = next[at]; }
	while next[at] > 0 at most next { at = next[at]; }
	while next[at] > 0 at most 1.5 { at = next[at]; }
	return at;
}
fn written(next: i32[n]) -> i32 {
	next[0] = 1;
	return 0;
}
