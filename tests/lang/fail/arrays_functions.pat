struct S { f: f32[4] }
const P: i32[3] = [0, 4, 1];
fn of_var(x: f32) -> f32 {
	var a: f32[4];
	var top: i64 = 1;
	a[top] = x;
	return a[0];
}
fn of_parameter(x: f32, at: i64) -> f32 {
	var a: f32[4];
	let next = at + 1;
	return a[next & 3];
}
fn of_call(x: f32) -> f32 {
	var a: f32[4];
	return a[i64(of_var(x))] + a[0];
}
fn of_bounds(x: f32, n: i64) -> f32 {
	var a: f32[4];
	for k in 0..min(n, 4) { a[k] = x; }
	return a[0];
}
fn of_cell(x: i64) -> i64 {
	var a: i64[4];
	return a[a[1]];
}
fn beyond(x: f32) -> f32 {
	var a: f32[2, 4];
	for i in 0..2 { for j in 0..4 { a[i, j + i] = x; } }
	return a[0, 0];
}
fn by_table(x: f32) -> f32 {
	var a: f32[4];
	for k in 0..3 { a[P[k]] = x; }
	return a[0];
}
fn of_field(x: S, k: i64) -> f32 {
	var s = x;
	for j in 0..4 { s.f[j ^ 4] = 1; }
	return s.f[0];
}
fn many(x: f64) -> f64 {
	var a: f64[64];
	var b: f64[8, 5];
	return a[0] + b[0, 0];
}
fn much(x: f64) -> f64 {
	var a: f64[8000] spill;
	var b: f64[8, 50] spill;
	return a[0] + b[0, 0];
}
fn long(x: f32) -> f32 {
	var a: f32[4];
	for j in 0..100 { for k in 0..100 { a[k % 4] += x; } }
	return a[0];
}
fn words(x: f32) -> f32 {
	var a: f32[4] spilled;
	var b: f32 spill;
	return x;
}
fn whole(x: f32, s: S) -> f32 {
	var a: f32[4];
	var b: f32[2, 2];
	a = b;
	a = x > 0 ? a : s.f;
	a = 0;
	a += a;
	let c = a;
	c[1] = 2;
	return a;
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = of_var(x[i]);
}
