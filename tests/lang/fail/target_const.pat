const A: f32 = 1;
kernel f(x: f32[n], out y: f32[n]) {
	map A = 2;
}
