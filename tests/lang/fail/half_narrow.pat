kernel f(x: f32[n], b: bf16[n], out y: f16[n], out z: f16[n]) {
	map y[i] = x[i];
	map z[i] = b[i];
}
