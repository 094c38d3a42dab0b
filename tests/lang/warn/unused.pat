// What nothing reads.
fn twice(x: f32, y: f32) -> f32 {
	var s = x;
	let t = 2 * x;
	s = s + x;
	return 2 * x;
}
fn first(x: f32, _y: f32) -> f32 = x;
op left(a: f32, b: f32) -> f32 = a assume identity 0;

kernel parameters(size k: i64, x: f32[n], w: f32[m], c: f32, inout z: f32[n], out y: f32[n]) {
	map y[i] = twice(x[i], first(1, 2));
}
kernel temporaries(x: f32[n], _w: f32[n], out y: f32[n], out m: f32) {
	let s: f32;
	let t: f32[n];
	let u: f32 = 3;
	let at: i64;
	map t[i] = x[i], y[i] = x[i];
	map t[i] += 1;
	reduce m, at = argmax[i](x[i]);
	reduce s = left[i](x[i]) strict;
}
kernel called(x: f32[n], out a: f32[n], out b: f32[n]) {
	map a[i] = x[i], b[i] = 2 * x[i];
}
kernel calls(x: f32[n], out a: f32[n]) {
	let b: f32[n];
	called(x, a, b);
}
kernel binds(bind: u8[n], x: f32[2*n], out y: f32[2*n]) {
	map y[i] = x[i];
}
fn sized(next: i32[n], most: i32, x: f32[m]) -> i32 {
	var k: i32 = 0;
	while k < 9 at most most { k += 1; }
	return k + i32(n);
}
kernel sizes(x: i32[n], z: f32[m], out y: i32[n]) {
	map y[i] = sized(x, 10, z);
}
