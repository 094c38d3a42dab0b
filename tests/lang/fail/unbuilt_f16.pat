kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = f32(f16(x[i]));
}
