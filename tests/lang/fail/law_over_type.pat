op plus(a: i32, b: i32) -> i32 = a + b associative, distributes over any;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];
}
