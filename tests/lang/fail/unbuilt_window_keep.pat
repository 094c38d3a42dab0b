kernel f(x: f32[n], r: i64, inout y: f32[n]) {
	stencil y[i] = max[k in -r..r+1, l in 0..k](x[i + l]) boundary keep;
}
