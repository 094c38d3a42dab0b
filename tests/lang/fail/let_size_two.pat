kernel f(x: f32[n], out y: f32[n]) {
	let t: f32[n, m];
	map y[i] = x[i];
}
