// Walks whose passes are scheduled: lanes take cells from a counter, or make passes together.
fn length(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var k: i32 = 0;
	while at >= 0 at most n {
		at = next[at];
		k = k + 1;
	}
	return k;
}
kernel filled(next: i32[n], from: i32[m], inout y: i32[m]) {
	one: map y[i] = y[i] + length(next, from[i]);
}
kernel together(next: i32[n], from: i32[m], inout y: i32[m]) {
	one: map y[i] = y[i] + length(next, from[i]);
}
schedule filled for cuda { one: walk refill; }
schedule filled for hip { one: walk refill; }
schedule together for cuda { one: walk packet; }
schedule together for hip { one: walk packet; }
