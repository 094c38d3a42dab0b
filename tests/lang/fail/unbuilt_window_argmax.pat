kernel f(x: f32[n], out y: i64[n]) {
	stencil y[i] = argmax[k in -1..2](x[i + k]) boundary clamp;
}
