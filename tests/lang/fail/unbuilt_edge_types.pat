kernel f(x: f32[n], z: f64[n], out y: f32[n]) {
	stencil y[i] = x[i-1] + f32(z[i-1]) boundary 0;
}
