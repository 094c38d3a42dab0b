kernel f(inout a: f32[n], inout b: f64[n]) {
	swap a, b;
}
