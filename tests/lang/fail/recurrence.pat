struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re) identity C(1, 0), associative;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
        identity -inf, associative, commutative;
op sub(a: f32, b: f32) -> f32 = a - b assume distributes over max;
kernel f(x: f32[n], b: f32[n], A: f32[n, m], X: f32[n, m], k: i32[n], kk: i32[n], u: u32[n], z: C[n], w: C[n],
	out y: f32[n], out Y: f32[n, m], inout iy: i32[n], inout uy: u32[n], out zy: C[n], inout p: f32[n]) {
	scan y[i] = max(y[i-1] * b[i], x[i]);
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = max, ◇ = +;
	scan zy[i] = (zy[i-1] ○ w[i]) ◇ z[i] using ○ = cmul, ◇ = cadd;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = lse;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = sub, ◇ = max;
	scan uy[i] = max(uy[i-1] - 1, u[i]);
	scan iy[i] = iy[i-1] / 2 + k[i];
	scan y[i] = sqrt(y[i-1]) + x[i];
	scan y[i] = y[i-1] * y[i-1] + x[i];
}
