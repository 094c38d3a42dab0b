kernel f(inout a: f32[n], inout b: f32[n], inout c: f32[n]) {
	swap a, b, c;
}
