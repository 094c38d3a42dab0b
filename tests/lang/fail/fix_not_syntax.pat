fn p(x: f32) -> f32 {
	for k in 0..3 { x + 1 }
	if x > 0 { x }
	return x;
}
fn q(x: f32) -> f32 {
	x
	+ 1
}
fn r(x: f32) -> f32 {
	/* a; b */ x + 1
}
kernel s(x: f32[n], out y: f32[n]) { map y[i] = x[i] where x[i] > 0 || x[i] < -1, i > 3; }
kernel t(x: [[f32; n]; m], out y: f32[n]) { map y[i] = x[0, i]; }
