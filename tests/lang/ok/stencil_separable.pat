// Windows along several axes, folded along one axis after the other: every boundary, factor, type, and shape.
op longer(a: i64, b: i64) -> i64 = a | b identity 0, associative, commutative;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
struct P { u: f32, v: i16 }

kernel clamped(a: f32[n, m], out b: f32[n, m]) {
	stencil b[i, j] = a[i, j] - sum[p in -4..5, q in -4..5](a[i + p, j + q]) / 81 boundary clamp;
}
kernel given(a: f64[n, m], r: i32, s: i64, out b: f64[n, m]) {
	require r >= 0, r < 12, s >= -3, s < 9;
	stencil b[i, j] = sum[p in -r..r+1, q in s..r+2](a[i + p, j + q]) boundary mirror;
}
kernel mixed(a: i32[n, m], out b: i32[n, m], out c: i32[n, m], out d: i32[n, m]) {
	stencil b[i, j] = sum[p in 0..8, q in -5..2](a[i + p, j - q]) boundary (wrap, reflect);
	stencil c[i, j] = prod[p in 0..8, q in -5..4](a[i + p, j + q]) boundary (reflect, mirror);
	stencil d[i, j] = min[p in -7..1](max[q in 0..9](a[i + p, j + q])) boundary (clamp, wrap);
}
kernel outside(a: f32[n, m], z: u8[n, m], r: i32, out b: f32[n, m], out c: f32[n, m], out w: u8[n, m], out s: i32[n, m]) {
	require r >= 0, r < 6;
	stencil b[i, j] = sum[p in -4..5, q in -4..5](a[i + p, j + q]) boundary 0;
	stencil c[i, j] = max[p in -4..5, q in -r..r+1](a[i + p, j + q]) boundary (wrap, 2.5);
	stencil w[i, j] = max[p in -r..r+1, q in -r..r+1](z[i + p, j + q]) boundary 7;
	stencil s[i, j] = sum[p in -4..5, q in -4..5](z[i + p, j + q]) boundary (clamp, 9);
}
// No fold along the first axis could answer with the value: the second one is first.
kernel turned(a: i32[n, m], out b: i32[n, m], out c: i32[n, m]) {
	stencil b[i, j] = sum[p in -4..5, q in -4..5](a[i + p, j + q]) boundary (5, clamp);
	stencil c[i, j] = prod[p in -4..5, q in -4..5](a[i + p, j + q]) boundary 1;
}
kernel lowest(a: f32[n, m], z: u8[n, m], r: i32, out b: f32[n, m], out c: u8[n, m]) {
	require r >= -1, r < 6;
	stencil b[i, j] = max[p in -r..r+1, q in 0..r+2](a[i + p, j + q]) boundary (-inf);
	stencil c[i, j] = min[p in -4..5, q in -4..5](z[i + p, j + q]) boundary 4;
}
// The first one may have no terms, so that the value outside is none of it.
kernel maybe(a: i32[n, m], r: i32, out b: i32[n, m]) {
	require r >= -2, r < 5;
	stencil b[i, j] = max[p in -4..5, q in -r..r+1](a[i + p, j + q]) boundary 3;
}
kernel inner(a: f32[n + 12, m + 12], out b: f32[n, m]) {
	stencil b[i, j] = sum[p in 0..13, q in 0..13](a[i + p, j + q]);
}
kernel within(a: i32[n, m], out b: i32[n, m]) {
	stencil b[i, j] = max[p in -4..5, q in -4..5](a[i + p, j + q]) for i in 4..n-4, j in 4..m-4;
}
kernel gauss(a: f16[n, m], w: f32[11], out b: f16[n, m]) {
	stencil b[i, j] = f16(sum[p in 0..11, q in 0..11](w[p] * w[q] * a[i + p - 5, j + q - 5])) boundary clamp;
}
kernel weighted(a: f32[n, m], v: f32[n], w: f32[9, m], z: f32[n, m], out b: f32[n, m], out c: f32[n, m]) {
	stencil b[i, j] = sum[p in 0..9](v[i] * sum[q in 0..9](w[q, j] * z[i, j] * abs(a[i + p, j + q - 4]))) boundary wrap;
	stencil c[i, j] = sum[p in -4..5, q in -4..5](0.5 * f32(p * p) * f32(9 - q) * a[i + p, j + q] * a[i + p, j + q]) boundary reflect;
}
kernel strides(a: f32[2*n, 3*m], c: u8[k, 2*n, m], out b: f32[n, m], out d: i32[k, n, m]) {
	stencil b[i, j] = max[p in 0..9, q in 0..9](a[2*i + p - 4, 3*j + q - 4]) boundary mirror;
	stencil d[l, i, j] = sum[p in -4..5, q in -4..5](c[l, 2*i + p, j + q]) boundary clamp;
}
kernel boxes(a: f32[l, n, m], r: i32, out b: f32[l, n, m], out c: f32[l, n, m]) {
	require r >= 0, r < 5;
	stencil b[k, i, j] = sum[o in -r..r+1, p in -r..r+1, q in -r..r+1](a[k + o, i + p, j + q]) boundary (wrap, clamp, 0);
	stencil c[k, i, j] = min[o in -4..5, p in -4..5, q in -4..5](a[k + o, i + p, j + q]) boundary reflect;
}
kernel sevens(a: f32[l, n, m], out b: f32[l, n, m]) {
	stencil b[k, i, j] = sum[o in -2..3, p in -2..3, q in -2..3](a[k + o, i + p, j + q]) boundary mirror;
}
kernel bits(a: i64[n, m], x: bool[n, m], out b: i64[n, m], out y: bool[n, m], out z: bool[n, m]) {
	stencil b[i, j] = longer[p in -4..5, q in -4..5](a[i + p, j + q]) boundary clamp;
	stencil y[i, j] = all[p in -4..5, q in -4..5](x[i + p, j + q]) boundary true;
	stencil z[i, j] = any[p in -4..5, q in -4..5](x[i + p, j + q]) && !x[i, j] boundary wrap;
}
kernel shares(a: f32[n, m], out b: f32[n, m]) {
	stencil b[i, j] = lse[p in -4..5, q in -4..5](a[i + p, j + q]) boundary clamp;
}
kernel fields(a: P[n, m], out b: f32[n, m], out c: i16[n, m]) {
	stencil b[i, j] = max[p in -4..5, q in -4..5](a[i + p, j + q].u), c[i, j] = min[p in -5..4, q in 0..9](a[i + p, j + q].v)
		boundary clamp;
}
kernel again(inout a: f32[n, m], t: i32) {
	require t < 4;
	let b: f32[n, m];
	repeat k < t {
		stencil b[i, j] = max[p in -10..11, q in -10..11](a[i + p, j + q]) - min[p in -10..11, q in -10..11](a[i + p, j + q])
			boundary clamp;
		swap a, b;
	}
}
kernel steps(a: i32[n, m], t: i32, inout b: i32[n, m]) {
	if t > 2 {
		stencil b[i, j] = b[i, j] + sum[p in -5..6, q in -5..6](a[i + p, j + q]) boundary wrap;
	}
}
kernel pinned(a: i32[n, m], out b: i32[n, m], out c: i32[n, m]) {
	small: stencil b[i, j] = sum[p in -1..2, q in -1..2](a[i + p, j + q]) boundary clamp;
	large: stencil c[i, j] = sum[p in -10..11, q in -10..11](a[i + p, j + q]) boundary clamp;
}
schedule pinned for cpu { small: separate; large: no separate; }
schedule pinned for cuda { small: separate; large: no separate; }
schedule pinned for hip { small: separate; large: no separate; }
