fn extents(x: f32, n: i64) -> f32 {
	var a: f32[n];
	var b: f32[0];
	var c: f32[300, 300] spill;
	return a[0] + b[0];
}
fn given(a: f32[4]) -> f32 { return 1; }
fn result(a: f32) -> f32[4] { return a; }
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = result(x[i]);
}
