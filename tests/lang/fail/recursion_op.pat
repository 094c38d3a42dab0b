op a(x: f32, y: f32) -> f32 {
	var r = x;
	r a= y;
	return r;
} identity 0, associative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = a(x[i], 1);
}
