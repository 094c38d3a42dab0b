kernel f(out y: f32[n]) {
	let s: f32;
	let r: f32;
	repeat until s > 1 at most 9 { map r = 1; map y[i] = r; }
}
