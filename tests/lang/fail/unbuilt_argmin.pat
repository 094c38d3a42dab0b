kernel f(x: f32[n], out y: f32[n]) {
	reduce y[i] = f32(argmin[k in 0..3](x[i]));
}
