kernel f(inout x: f32[n], inout x: f32[n]) {
	map x[i] = 1;
}
