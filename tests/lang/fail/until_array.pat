kernel f(inout y: f32[n]) {
	repeat until y[0] > 1 at most 9 { map y[i] += 1; }
}
