kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i]
	map y[i] = 2 * x[i];
	map y[i] = x[i]
	let t: f32[n];
	map y[i] = x[i]
	repeat t < 3 { map y[i] = 1; }
}
