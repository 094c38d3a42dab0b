kernel f(x: f32[n], out y: f32[n]) {
	let t: f32[n] = x[i];
	map y[i] = x[i];
}
