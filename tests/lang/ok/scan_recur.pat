// Recurrences: constant weights and those of each cell, order 1 and 2, the semirings of the language and a user's,
// from both ends.
struct Duo { re, im: f32 }
op lse(a: f64, b: f64) -> f64 = a == b ? a + 0.6931471805599453 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op cmul(a: Duo, b: Duo) -> Duo = Duo(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
	identity Duo(1, 0), associative, commutative, distributes over cadd;
op cadd(a: Duo, b: Duo) -> Duo = Duo(a.re + b.re, a.im + b.im) identity Duo(0, 0), associative, commutative;
op plus(a: f64, b: f64) -> f64 = a + b identity 0, associative, commutative, distributes over lse;

kernel decays(x: f32[n], a: f32, b: f32[n], out y: f32[n], out z: f32[n], out w: f32[n], inout v: f32[n])
{
	scan y[i] = 0.875 * y[i-1] + x[i];
	scan z[i] = a * z[i-1] + x[i];
	scan w[i] = w[i+1] * b[i] + x[i] from 0.5;
	scan v[i] = (v[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
}
kernel weights(x: f32[n], out zero: f32[n], out one: f32[n], out minus: f32[n], out more: f64[n], out mixed: f32[n])
{
	scan zero[i] = 0 * zero[i-1] + x[i];
	scan one[i] = one[i-1] + x[i];
	scan minus[i] = x[i] - minus[i-1];
	scan more[i] = 1.0009765625 * more[i-1] + f64(x[i]);
	scan mixed[i] = (i % 11 == 0 ? 0 : i % 3 == 0 ? -1 : i % 50 < 3 ? 1.5 : 1) * mixed[i-1] + x[i];
}
kernel biquads(x: f32[n], z: f64[n], b: f32[n], out y: f32[n], out w: f64[n], out v: f32[n], out u: f32[n])
{
	scan y[i] = 1.9 * y[i-1] - 0.95 * y[i-2] + x[i];
	scan w[i] = 0.25 * w[i-2] + z[i] from (1, 2);
	scan v[i] = 0.5 * b[i] * v[i+1] - 0.25 * v[i+2] + x[i] from 1;
	scan u[i] = -0.5 * u[i-1] + b[i] * u[i-2] + x[i];
}
kernel filtered(x: f32[n], out y: f32[n])
{
	let u: f32[n];
	stencil u[i] = 0.2 * x[i] + 0.4 * x[i-1] + 0.2 * x[i-2] boundary 0;
	scan y[i] = 0.75 * y[i-1] - 0.5 * y[i-2] + u[i];
	map y[i] = 2 * y[i];
}
kernel paths(x: f32[n], b: f32[n], k: i32[n], g: i32[n], out y: f32[n], out z: f32[n], out s: i32[n], out t: i32[n])
{
	scan y[i] = max(y[i-1] - 0.125, x[i]);
	scan z[i] = min(z[i+1] + abs(b[i]), x[i]);
	scan s[i] = (s[i-1] ○ g[i]) ◇ k[i] using ○ = +, ◇ = max;
	scan t[i] = max(t[i-1] - 3, t[i-2] - 5, k[i]);
}
kernel choices(x: f32[n], b: f32[n], k: u16[n], out y: f32[n], out z: f32[n], out m: u16[n], out f: bool[n], out g: bool[n])
{
	scan y[i] = min(max(y[i-1], b[i]), x[i]);
	scan z[i] = (z[i+1] ○ b[i]) ◇ x[i] using ○ = min, ◇ = max;
	scan m[i] = max(min(m[i-1], 100), k[i]);
	scan f[i] = f[i-1] && b[i] > -1 || x[i] > 1;
	scan g[i] = (g[i-1] ○ (b[i] > 1)) ◇ (x[i] > -1) using ○ = ||, ◇ = &&;
}
kernel bits(x: u32[n], b: u32[n], out y: u32[n], out z: u32[n])
{
	scan y[i] = y[i-1] & b[i] | x[i];
	scan z[i] = (z[i+1] ○ b[i]) ◇ x[i] using ○ = |, ◇ = &;
}
kernel same(x: f32[n], b: f32[n], k: i64[n], out y: f32[n], out z: f32[n], out w: i64[n])
{
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = +, ◇ = +;
	scan z[i] = max(z[i-1], b[i], x[i]);
	scan w[i] = (w[i+1] ○ k[i]) ◇ 3 using ○ = *, ◇ = *;
}
kernel users(x: f64[n], b: f64[n], p: Duo[n], q: Duo[n], out y: f64[n], out z: Duo[n])
{
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = plus, ◇ = lse;
	scan z[i] = (z[i-1] ○ p[i]) ◇ q[i] using ○ = cmul, ◇ = cadd;
}
kernel together(x: f32[n], b: f32[n], out y: f32[n], out z: f32[n], out p: f32[n])
{
	scan y[i] = 0.5 * y[i-1] + x[i], z[i] = max(z[i-1] - 0.25, b[i]), p[i] = sum(x[i]);
}
kernel in_place(inout x: f32[n], inout k: i32[n], steps: i32)
{
	repeat t < steps {
		scan x[i] = 0.5 * x[i-1] + x[i];
		scan k[i] = k[i+1] + k[i];
	}
}
kernel in_order(x: f32[n], b: f32[n], out y: f32[n], out z: f32[n])
{
	scan y[i] = b[i] * y[i-1] + x[i] strict;
	scan z[i] = x[i] - 0.3 * z[i+1] strict;
}
