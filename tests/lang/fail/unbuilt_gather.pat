kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	gather y[i] = x[k[i]];
}
