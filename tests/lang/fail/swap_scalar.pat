kernel f(inout a: f32, inout b: f32) {
	swap a, b;
}
