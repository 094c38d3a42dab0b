kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	scan y[i] = sum(x[i]) exclusive;
}
