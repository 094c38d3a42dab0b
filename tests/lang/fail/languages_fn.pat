fn a(x: f32) = 2 * x;
fn b(x) -> f32 = 2 * x;
fn c(x: f32) -> f32 {
	let h = 2 * x;
	h + 1   // the result
}
fn d(x: f32) -> f32 { let h = 2 * x; h }
fn e(x: f32) -> f32 { 2 * x }
fn f(x: f32) -> f32 { abs(x) }
fn g(x: f32) -> f32 { let mut h = 2 * x; h += 1; return h; }
fn h(x: f32) -> f32 {
	if x > 1 { return 1; } elif x > 0 { return 2; }
	elif x > -1 { return 3; }
	return 4;
}
fn i(x: f32) -> f32 {
	x + /* more
	*/ 2
}
