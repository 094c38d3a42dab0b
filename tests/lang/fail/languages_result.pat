fn a(x: f32) -> f32 {
	x
	+ 1
}
fn b(x: f32) -> f32 {
	let h = x; // a comment

	max(h,
	  x) + 1
}
fn c(x: f32) -> f32 {
	let h = x; // a comment
	// another
	max(h, x) + 1
}
fn d(x: f32) -> f32 { if x > 0 { x } else { -x } }
fn e(x: f32) -> f32 { if x > 0 { return x; } 1 - x }
fn g(x: f32) -> f32 {
	// é
	x == 0
}
