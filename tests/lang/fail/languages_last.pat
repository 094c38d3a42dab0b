fn a(x: f32) -> f32 {
	if x > 0 { x } else if x < -1 { 2 * x } else { -x }   // the end
}
fn b(x: f32) -> f32 {
	if x > 0 { x }
	return 2;
}
fn c(x: f32) -> f32 {
	/* a; b */ x + 1
}
fn d(x: f32) -> f32 {
	if x > 0 { 1 } elif x < 0 { 2 } else { 3 }
}
op e(x: f32, y: f32) -> f32 { x + y } associative;
fn f(x: f32) -> f32 {
	let y = x;

	// what for; { comes
	if y > 0 {
		max(y, 2)
	} else {
		y
	}
}
fn g(x: f32) -> f32 {
	let y = x / 2;
	y / 2 / 3
}
fn h(x: f32) -> f32 {
	max(x,
		2)
}
fn i(x: f32) -> f32 {
	let y = x;   // é
	y /* it */
}
