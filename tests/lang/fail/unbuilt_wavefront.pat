kernel f(k: i32[n], x: f32[n], inout y: f32[n]) {
	wavefront y[i] = y[i-1] + x[i] boundary 0;
}
