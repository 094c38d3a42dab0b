kernel f(x: f32[n], out y: f32[n]) {
	map sqrt(x) = 2;
}
