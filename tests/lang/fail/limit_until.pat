kernel f(inout s: i32) {
	repeat until s > 3 at most s { map s += 1; }
}
