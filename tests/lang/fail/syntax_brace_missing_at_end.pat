kernel f(x: f32[n], out y: f32[n]) {
	repeat t < 3 {
		map y[i] = x[i];
}
