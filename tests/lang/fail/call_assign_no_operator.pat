kernel f(x: f32[n], inout y: f32[n]) {
	map y[i] foo= x[i];
}
