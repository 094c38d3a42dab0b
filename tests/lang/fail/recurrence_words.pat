struct C { re, im: f32 }
kernel f(x: f32[n], b: f32[n], X: f32[n, m], k: i32[n], z: C[n], off: i32[s],
	out y: f32[n], out Y: f32[n, m], out zy: C[n], out p: f32[n], inout iy: i32[n]) {
	scan y[i] = 0.5 * y[i-1] + x[i] exclusive;
	scan y[i] = 0.5 * y[i-1] + x[i] from right;
	scan y[i] = 0.5 * y[i-1] + x[i] from (1, 2);
	scan y[i] = 0.5 * y[i-1] + 0.1 * y[i-2] + x[i] from (1, 2, 3);
	scan y[i] = 0.5 * y[i-1] + x[i] from b[i];
	scan y[i] = 0.5 * y[i-1];
	scan p[i] = 0.5 * p[i-1] + p[i];
	scan iy[i] = max(iy[i-1] - 1, k[i]), p[i] = sum(x[i]) from 0;
	scan y[i] = 0.5 * y[i+1] + x[i], p[i] = sum(x[i]);
	scan y[i] = 0.5 * y[i+1] + x[i], p[i] = 0.5 * p[i-1];
	scan Y[i, j] = 0.5 * Y[i, j-1] + X[i, j], p[i] = 0.5 * p[i-1];
	scan y[i] = 0.5 * y[i-1] + sum(x[i]);
	scan y[i] = 0.5 * y[i-1] + x[i], p[i] = sum(x[i]) + y[i];
	scan zy[i].re = 0.5 * zy[i-1].im + z[i].re;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = plus;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = argmax;
	scan y[i] = b[i-1] * y[i-1] + x[i] from 1;
	scan y[i] = b[i+1] * y[i-1] + x[i];
	scan y[i] = (y[i-1] + x[i]) / 3 strict;
	scan y[i + 1] = 0.5 * y[i] + x[i] segments off for i in 0..n-1;
}
