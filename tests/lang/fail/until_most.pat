kernel f(inout s: f32) {
	repeat until s > 1 most 9 { map s += 1; }
}
