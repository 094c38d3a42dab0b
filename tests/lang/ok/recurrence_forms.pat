// recurrences as they may be written: what sema makes of them is computed as the interpreter does
struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re)
	identity C(1, 0), associative, commutative, distributes over cadd;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;

kernel signs(x: f32[n], b: f32[n], out y: f32[n], out z: f32[n], out m: f32[n]) {
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i], z[i] = x[i] ◇ (0.5 ○ z[i-1]) using ○ = *, ◇ = +;
	scan m[i] = m[i-1] - 0.25 ◇ x[i] using ◇ = max;
}
kernel linear(x: f32[n], b: f32[n], r: f32, out y: f32[n], out z: f32[n], out w: f32[n], out v: f32[n]) {
	scan y[i] = 0.4 * (y[i-1] - x[i]) / 2 - x[i], z[i] = x[i] - 0.9 * z[i-1] + b[i];
	scan w[i] = -0.5 * w[i-2] + r * 0.01 * w[i-1] - x[i] from (1, 2);
	scan v[i] = b[i+1] * 0.1 * v[i+1] + x[i];
}
kernel extremes(k: i32[n], g: i32[n], u: u8[n], out a: i32[n], out b: i32[n], out c: u8[n], out d: i32[n]) {
	scan a[i] = max(a[i-1] - 3, k[i]), b[i] = min(k[i], g[i] + b[i-1]);
	scan c[i] = max(c[i-1] - 1, u[i]) from 250;
	scan d[i] = max(min(d[i+1], g[i]), k[i]);
}
kernel deep(k: i32[n], out y: i32[n]) {
	scan y[i] = max(y[i-1] - 1000000000, k[i]);
}
kernel logic(p: bool[n], q: bool[n], k: i32[n], g: i32[n], out a: bool[n], out b: bool[n], out c: i32[n], out d: i32[n]) {
	scan a[i] = a[i-1] && p[i] || q[i], b[i] = b[i-1] != p[i];
	scan c[i] = c[i-1] & k[i] | g[i], d[i] = d[i-1] & k[i] ^ g[i];
}
kernel integers(x: u32[n], s: i64[n], out y: u32[n], out z: i64[n], out f: i32[n]) {
	scan y[i] = y[i-1] * 1664525 + x[i] from 7;
	scan z[i] = z[i-1] * s[i] - z[i-2] from 1;
	scan f[i] = f[i-1] + f[i-2] from (1, 0);
}
kernel own(x: f32[n], inout y: f32[n], inout z: f32[n]) {
	scan y[i] += 0.5 * y[i-1];
	scan z[i] = 0.5 * z[i-1] + x[i] from z[0] for i in 1..n;
}
kernel operators(x: C[n], w: C[n], a: f32[n], b: f32[n], out y: C[n], out z: f32[n], out part: C[n]) {
	scan y[i] = (y[i-1] ○ w[i]) ◇ x[i] using ○ = cmul, ◇ = cadd;
	scan z[i] = lse(z[i-1] - abs(b[i]), a[i]);
	scan part[i].re = 0.5 * part[i-1].re + x[i].im, part[i].im = part[i-1].im + 1;
}
kernel halves(x: f16[n], out y: f16[n], out z: bf16[n]) {
	scan y[i] = 0.75 * y[i-1] + x[i], z[i] = bf16(0.5f32 * z[i-1] + x[i]);
}
kernel strictly(x: f32[n], w: f32[n], out y: f32[n], out z: f32[n], out v: f32[n], out u: f32[n]) {
	scan v[i] = v[i-1] + x[i] strict;
	scan u[i] = max(u[i-1], x[i]) approx;
	scan y[i] = max(y[i-1] * w[i], x[i]) strict;
	scan z[i] = w[i] * z[i-1] + x[i] strict;
}
test by_hand {
	signs(x = [4, 2, 1], b = [9, 0.5, 2]) -> y = [4, 4, 9], z = [4, 4, 3], m = [4, 3.75, 3.5];
	extremes(k = [9, 1, 7], g = [1, 2, 5], u = [0, 255, 3])
		-> a = [9, 6, 7], b = [9, 1, 6], c = [249, 255, 254], d = [9, 2, 7];
	deep(k = [5, -2000000000, -2147483648]) -> y = [5, -999999995, -1999999995];
	logic(p = [true, true, false], q = [true, false, false], k = [6, 3, 5], g = [1, 4, 2])
		-> a = [true, true, false], b = [true, false, false], c = [1, 5, 7], d = [1, 5, 7];
	integers(x = [1, 0, 5], s = [0, 2, 3]) -> f = [1, 2, 3];
	own(x = [0, 1, 2], y = [2, 1, 4], z = [8, 0, 0]) -> y = [2, 2, 5], z = [8, 5, 4.5];
	operators(x = [C(1, 0), C(0, 1)], w = [C(5, 5), C(0, 2)], a = [0, 0], b = [0, 0])
		-> y = [C(1, 0), C(0, 3)], part = [C(0, 1), C(1, 2)];
	strictly(x = [1, -3, 0], w = [1, -1, 2]) -> y = [1, -1, 0], z = [1, -4, -8], v = [1, -2, -2], u = [1, 1, 1];
}
test more_than_small_tiles {
	deep(n = 263171, k = random);
}
