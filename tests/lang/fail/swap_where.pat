kernel f(inout a: f32[n], inout b: f32[n]) {
	swap a, b where 1 == n;
}
