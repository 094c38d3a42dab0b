kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	scatter y[k[i]] += x[i];
}
