// Windows: of ranges that parameters give, that seek their best place, with a mask, nested, with a stride, with channels;
// offsets that a size or a parameter gives.
op first(a: i32, b: i32) -> i32 = a associative;
struct P { a: f32, b: i16 }
kernel seek(a: f32[n, m], out best: f32[n, m], out at: i64[n, m], out at2: i64[n, m]) {
	stencil best[i, j], at[i, j], at2[i, j] = argmin[p in -1..3, q in -2..1](abs(a[i + p, j + q] - a[i, j])) boundary clamp;
}
kernel best_place(x: i32[n], out y: i64[n]) { stencil y[i] = argmax[k in -1..2](x[i + k]) boundary reflect; }
kernel masked_place(x: f32[n], out y: i64[n]) { stencil y[i] = argmin[k in -2..3 where k != 0](x[i + k]) boundary wrap; }
kernel masked(x: i32[n], out y: i32[n]) { stencil y[i] = first[k in 0..3 where k % 2 == 1](x[i + k]) boundary clamp; }
kernel many(x: f32[n], out y: f32[n]) { stencil y[i] = max[k in 0..2000](x[i + 3*k - 2]) boundary 0; }
kernel box(a: f32[n, m], r: i32, out b: f32[n, m]) {
	require r >= -2, r < 5;
	stencil b[i, j] = sum[p in -r..r+1, q in -r..r+1](a[i + p, j + q]) boundary mirror;
}
kernel sides(a: f64[n, m], r: i64, out b: f64[n, m]) {
	require r >= -3, r < 6;
	stencil b[i, j] = max[p in -r..r+1 where p != 0](a[i + p, j] + a[i, j - p]) boundary (wrap, f64(i - j));
}
kernel inner(a: i32[n, m], r: i64, out b: i32[n, m]) {
	require r >= 0, r < 4;
	stencil b[i, j] = sum[p in -r..r+1, q in 0..r](a[i + p, j + 2*q]) for i in r..n-r, j in 0..m-2*r;
	stencil b[i, j] = 7 for i in 0..min(r, n), j in 0..m;
	stencil b[i, j] = 8 for i in max(n-r, 0)..n, j in 0..m;
	stencil b[i, j] = 9 for i in 0..n, j in max(m-2*r, 0)..m;
}
kernel pool(a: f32[2*n, 2*m], out b: f32[n, m]) {
	stencil b[i, j] = max[p in 0..3, q in 0..3](a[2*i + p - 1, 2*j + q - 1]) boundary (-inf);
}
kernel pyramid(a: f32[n, m], k: i64, out b: f32[h, w]) {
	require k >= 0, k < 3;
	stencil b[i, j] = sum[p in 0..k, q in 0..k](a[3*i + p, 3*j + q]) boundary wrap;
}
kernel mirrored(a: i64[n], out b: i64[n]) { stencil b[i] = a[5 - 2*i] - a[n - i] boundary mirror; }
kernel channels(x: f32[c, n, m], w: f32[k, c, 9], out y: f32[k, n, m]) {
	stencil y[o, i, j] = sum[l in 0..c, p in 0..3, q in 0..3](w[o, l, 3*p + q] * x[l, i + p - 1, j + q - 1]) boundary (0);
}
kernel match(a: f32[n, m], b: f32[n, m], out d: f32[n, m], out y: i64[n, m], out x: i64[n, m]) {
	stencil d[i, j], y[i, j], x[i, j] = argmin[u in -1..2, v in -1..2](
		sum[p in -1..2, q in -1..2](abs(a[i+p, j+q] - b[i+p+u, j+q+v]))) boundary reflect;
}
kernel fields(x: P[n], r: i64, out y: f32[n]) {
	require r >= 0, r < 3;
	stencil y[i] = sum[k in -r..r+1](x[i + k].a + f32(x[i - k].b)) boundary 1;
}
kernel late(a: f32[n], r: i64, out b: f32[n]) { stencil b[i] = a[i + r] - a[i + n] boundary wrap; }
kernel kept(a: f32[n], inout b: f32[n], out c: i64[n]) {
	map c[i] = 0;
	stencil b[i], c[i] = argmin[k in -2..3](a[i + k]) boundary keep;
}
schedule box for cpu { no separate; }
schedule box for cuda { no separate; }
schedule box for hip { no separate; }
test windows {
	best_place(x = [3, 1, 4, 1, 5]) -> y = [0, 1, 0, 1, 0];
	box(a = [[1, 2], [3, 4]], r = 1) -> b = [[18, 21], [24, 27]];
	box(a = [[1, 2], [3, 4]], r = -1) -> b = [[0, 0], [0, 0]];
	pool(a = [[1, 5, 2, 3], [4, 0, 7, 1]]) -> b = [[5, 7]];
	late(a = [1, 2, 3, 4], r = -5) -> b = [3, -1, -1, -1];
	mirrored(a = [1, 2, 3]) -> b = [-2, 0, 0];
}
