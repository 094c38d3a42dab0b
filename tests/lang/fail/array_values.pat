// Arrays that functions take and give.
struct S { v: f32[4], w: f32[2, 2], k: i32 }
fn dot(a: f32[4], b: f32[4]) -> f32 = a[0] * b[0];
fn turned(a: f32[4]) -> f32[4] = [a[3], a[2], a[1]];
fn taken(a: f32[4], k: i32) -> f32 = a[k];
fn outside(a: f32[4]) -> f32 { var s: f32; for k in 0..5 { s += a[k]; } return s; }
fn assigned(a: f32[4]) -> f32 { a[0] = 1; return a[0]; }
fn large(a: f64[97]) -> f64 = a[0];
fn both(a: f64[60]) -> f64 { var b: f64[40]; return a[0] + b[0]; }
fn result(x: f32) -> f32[2] { return x; }
fn numbers(a: f32[4], b: f32[3]) -> f32 {
	if a { return 1; }
	if a == b { return 2; }
	if a < a { return 3; }
	let c = a[0] > 0 ? a : b;
	let d: f32[4] = a[0] > 0 ? a : [1, 2];
	let e: f32[4] = [a[0], true, 1, 2];
	var f: i32[4];
	f = a;
	f = 3;
	return abs(a) + f32(a);
}
op add(a: f32[4], b: f32[4]) -> f32[4] = a associative, commutative, identity [0];
op mix(a: f32[2], b: f32[2]) -> f32 = a[0] + b[0];
extern fn c(a: f32[4]) -> f32 from "c.h";
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
