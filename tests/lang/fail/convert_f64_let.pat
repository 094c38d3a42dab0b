kernel f(e: f64, out y: f32[n]) {
	let s: f32 = e;
	map y[i] = s;
}
