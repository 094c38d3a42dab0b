kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	compact y, n2 = x[i] where x[i] > 0;
}
