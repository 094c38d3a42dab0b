op spin(a: u32, b: u32) -> u32 { while true { } return a; } associative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];
}
