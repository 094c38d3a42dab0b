kernel f(out y: f32[n]) {
	let c: i64 = 3;
	map y[i] = 1 for i in 0..c;
}
