// recurrences as running.h keeps them: (y[i-1] ○ weight) ◇ (y[i-2] ○ weight) ◇ rest
struct C { re, im: f32 }
op cadd(p: C, q: C) -> C = C(p.re + q.re, p.im + q.im) identity C(0, 0), associative, commutative;
op cmul(p: C, q: C) -> C = C(p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re) identity C(1, 0), associative, commutative, distributes over cadd;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
        identity -inf, associative, commutative;
kernel f(x: f32[n], b: f32[n], A: f32[n, m], r: f32, c: f32, X: f32[n, m], k: i32[n], kk: i32[n], u: u8[n], bb: bool[n], hh: bool[n], z: C[n], w: C[n], a: f64[n],
	out y: f32[n], out Y: f32[n, m], inout iy: i32[n], out uy: u8[n], out by: bool[n], out zy: C[n], out hy: f16[n], out dy: f64[n]) {
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
	scan y[i] = (y[i-1] <.> b[i]) <> x[i] using <.> = *, <> = + from r;
	scan y[i] = (y[i+1] ○ 0.9) ◇ x[i] using ○ = *, ◇ = +;
	scan Y[i, j] = (Y[i-1, j] ○ A[i, j]) ◇ X[i, j] using ○ = *, ◇ = +;
	scan Y[i, j] = (Y[i, j+1] ○ A[i, j]) ◇ X[i, j] using ○ = +, ◇ = max from b[i];
	scan y[i] = (y[i-1] ○ b[i]) ◇ (y[i-2] ○ r) ◇ x[i] using ○ = *, ◇ = + from (1, 2);
	scan iy[i] = (iy[i-1] ○ k[i]) ◇ kk[i] using ○ = +, ◇ = max;
	scan iy[i] = (iy[i-1] ○ 3) ◇ kk[i] using ○ = -, ◇ = min;
	scan iy[i] = (iy[i-1] ○ k[i]) ◇ kk[i] using ○ = min, ◇ = max;
	scan iy[i] = (iy[i-1] ○ k[i]) ◇ kk[i] using ○ = &, ◇ = |;
	scan iy[i] = (iy[i-1] ○ k[i]) ◇ kk[i] using ○ = &, ◇ = ^;
	scan iy[i] = (iy[i-1] ○ k[i]) ◇ kk[i] using ○ = +, ◇ = +;
	scan by[i] = (by[i-1] ○ bb[i]) ◇ hh[i] using ○ = &&, ◇ = ||;
	scan zy[i] = (zy[i-1] ○ w[i]) ◇ z[i] using ○ = cmul, ◇ = cadd;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = +, ◇ = lse;
	scan y[i] = 0.9 * y[i-1] + x[i];
	scan y[i] = b[i-1] * y[i-1] + x[i];
	scan y[i] = r * y[i-1] - c * y[i-2] + 0.5 * x[i] + (i > 0 ? x[i-1] : 0);
	scan y[i] = (y[i-1] + x[i]) / 2;
	scan y[i] = x[i] - y[i-1];
	scan y[i] = -0.5 * (y[i-1] - x[i]) - y[i-2];
	scan iy[i] = max(iy[i-1] - 1, kk[i]);
	scan y[i] = min(y[i-1] + b[i], x[i]);
	scan y[i] = max(y[i-1], x[i]) + b[i];
	scan by[i] = by[i-1] || bb[i];
	scan by[i] = by[i-1] && bb[i] || hh[i];
	scan uy[i] = uy[i-1] + u[i];
	scan uy[i] = max(uy[i-1] - 1, u[i]);
	scan hy[i] = f16(0.5f32 * hy[i-1] + x[i]);
	scan dy[i] = dy[i-1] * 0.5 + x[i];
	scan y[i] = y[i-1] * x[i];
	scan y[i] = y[i-1] * r from 1;
	scan y[i] = y[i-1] ○ r from 1 using ○ = *;
	scan y[i] = y[i-1] + y[i-2] from (1, 0);
	scan y[i] = y[i-1] + 1;
	scan zy[i].re = 0.5 * zy[i-1].re + z[i].im, zy[i].im = zy[i-1].im + 1;
	scan y[i] = 0.9 * y[i-1] + x[i], dy[i] = sum(a[i]);
	scan y[i] = max(min(y[i-1], 3), x[i]) segments kk;
	scan y[i] = max(y[i-1] * x[i], 1) strict;
	scan y[i] = clamp(x[i], 0, 1) + y[i-1] * 1.0;
	scan iy[i] = iy[i-1] ^ k[i];
	scan y[i] = y[i-1] - 1 ◇ x[i] using ◇ = max;
	scan Y[i, m - 1 - j] = 2 * Y[i, m - j] + X[i, j] for i in 0..n, j in 0..m;
	scan iy[i] = 0.5f32 > 1.0f32 ? 1 : iy[i-1] + iy[i];
	scan by[i] = by[i-1] != bb[i];
}
