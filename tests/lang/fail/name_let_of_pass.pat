kernel f(x: f32[n], out y: f32[n]) {
	repeat t < 3 { let h: f32[n]; map h[i] = x[i]; }
	map y[i] = h[i];
}
