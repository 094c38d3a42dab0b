kernel f(x: f32[n], out s: f32) {
	map s = 1 for i in 0..n;
}
