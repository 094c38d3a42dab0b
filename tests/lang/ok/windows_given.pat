// Windows whose ranges the call gives: cells come from tiles whose halo the host computes.

kernel darkest(a: f32[n, m], r: i32, out b: f32[n, m], out p: i64[n, m], out q: i64[n, m])
{
	require r >= -2, r < 7;
	stencil b[i, j], p[i, j], q[i, j] = argmin[k in -r..r+1, l in -r..r+1](a[i + k, j + l])
		boundary clamp;
}
kernel shifted(a: f32[n, m], w: f32[s, t], h: i32, out b: f32[n, m])
{
	require h >= -9, h < 12;
	stencil b[i, j] = sum[k in 0..s, l in 0..t](w[k, l] * a[i + k - h, j + l - h]) boundary reflect;
}
// Subscripts that no index of the cells is in may be computed.
kernel weights(a: f32[n, m], w: f32[s, t], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in -(s/2)..s-s/2, l in -(t/2)..t-t/2](
		w[k + s/2, l + t/2] * a[i + k, j + l]) boundary wrap;
}
kernel cycle(a: f32[n], w: f32[s], r: i32, out b: f32[n])
{
	require s > 0, r >= 0, r < 20;
	stencil b[i] = sum[k in 0..r](w[k % s] * a[i + k]) boundary clamp;
}
kernel disc(a: u8[n, m], r: i64, out b: u8[n, m], out c: i64[n, m])
{
	require r >= 0, r < 9;
	stencil b[i, j] = max[k in -r..r+1, l in -r..r+1 where k*k + l*l <= r*r](a[i + k, j + l]) boundary 0;
	stencil c[i, j] = count[k in -r..r+1, l in -2..3 where k != l](a[i + k, j + l] > a[i, j]) boundary wrap;
}
// Cells apart, and, as the call says, too many for a block.
kernel apart(a: f64[n], r: i32, out b: f64[n], out p: i64[n]) {
	require r >= 0, r < 60;
	stencil b[i], p[i] = argmax[k in -r..r+1](a[i + 3 * k]) boundary mirror;
}
kernel large(a: f64[n, m, l], r: i32, out b: f64[n, m, l]) {
	require r >= 0, r < 10;
	stencil b[i, j, k] = max[u in -r..r+1, v in r-1..r+1, w in -r..2-r](a[i + u, j + v, k + w])
		boundary (clamp, wrap, 0);
}
// Nested, of two arrays, one of them with a range that the other bounds.
kernel match(a: f32[n, m], c: i16[n, m], r: i32, s: i32, out d: f32[n, m], out p: i64[n, m], out q: i64[n, m])
{
	require r >= 0, r < 3, s >= 0, s < 4;
	stencil d[i, j], p[i, j], q[i, j] = argmin[u in -s..s+1, v in -s..s+1](
		sum[k in -r..r+1, l in 0..k+r+1](abs(a[i+k, j+l] - c[i+k+u, j+l+v]))) boundary mirror;
}
struct Cell { x: f32, y: i8 }
kernel structs(a: Cell[n, m], r: i32, out b: f32[n, m], out last: f32)
{
	require r >= 0, r < 5;
	stencil b[i, j] = sum[k in -r..r+1 where a[i + k, j].y > 0](a[i + k, j - k].x) boundary keep;
	reduce last = max[i, j](b[i, j]);
}
// An array that it also reads with a test, at a place that only the call knows.
kernel tested(a: f32[n], w: f32[s], r: i32, s0: i64, out b: f32[n])
{
	require r >= 0, r < 9;
	stencil b[i] = sum[k in -r..r+1](a[i + k] * w[s0 + k]) boundary clamp;
}
kernel cube(a: f64[n, m, l], r: i32, out b: f64[n, m, l])
{
	require r >= 0, r < 4;
	stencil b[i, j, k] = max[u in -r..r+1, v in 0..r+1, w in -1..r+1 where u + v != w](
		a[i + u, j + v, k + w]) boundary (clamp, wrap, 1);
}
