kernel f(x: f32[n], out y: f32[n]) {
	repeat t < 5 at most 3 { map y[i] = x[i]; }
}
