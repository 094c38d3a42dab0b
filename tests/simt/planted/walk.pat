// A function that reads an array at places that the data decide, to the end of a list.
fn length(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var k: i32 = 0;
	while at >= 0 at most n {
		at = next[at];
		k = k + 1;
	}
	return k;
}
kernel walk(next: i32[n], from: i32[m], inout y: i32[m]) {
	map y[i] = length(next, from[i]);
}
