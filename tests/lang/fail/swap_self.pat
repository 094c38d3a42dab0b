kernel f(inout a: f32[n]) {
	swap a, a;
}
