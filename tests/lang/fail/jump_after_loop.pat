fn g(x: f32) -> f32 {
	for k in 0..3 { }
	break;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = g(x[i]);
}
