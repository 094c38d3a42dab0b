kernel f(out y: f32[n]) {
	let s: f32;
	repeat until s at most 5 { map s = 1; }
	map y[i] = s;
}
