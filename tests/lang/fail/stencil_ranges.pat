kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = sum[k in 0..i](x[i + k]) boundary clamp;
}
