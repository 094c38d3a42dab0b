struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re) identity C(1, 0), associative;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
        identity -inf, associative, commutative;
op sub(a: f32, b: f32) -> f32 = a - b assume distributes over max;
kernel f(x: f32[n], b: f32[n], A: f32[n, m], X: f32[n, m], k: i32[n], kk: i32[n], u: u32[n], z: C[n], w: C[n],
	out y: f32[n], out Y: f32[n, m], inout iy: i32[n], inout uy: u32[n], out zy: C[n], inout p: f32[n]) {
	scan y[i] = y[i-1] * y[i-2];
	scan y[i] = 1 / y[i-1] + x[i];
	scan y[i] = max(1 - y[i-1], x[i]);
	scan y[i] = x[i] > 0 ? 0 : y[i-1] + x[i];
	scan y[i] = y[i-3] + x[i];
	scan y[i] = y[2 * i] + x[i];
	scan Y[i, j] = Y[i-1, j] + Y[i, j-1];
	scan Y[i, j] = Y[i-1, j-1] + X[i, j];
	scan y[i] = y[i-1] + y[i+1];
	scan y[i] = y[i-1];
	scan y[i] = 2 * y[i-1] * max(y[i-1], x[i]) + 1;
	scan p[i] = 0.5 * p[i-1] + x[i], y[i] = p[i-1] + y[i-1];
	scan p[i] = 0.5 * p[i-1] + x[i], y[i] = p[i] + y[i-1];
	scan y[i] = -y[i-2] from 1;
}
