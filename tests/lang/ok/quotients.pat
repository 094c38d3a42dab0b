// Quotients by what does not change are products on a GPU, and have the bits of a division, which `strict` asks for.
// Quotients of n 2^-149 are subnormal, and many are ties; others are infinite, and a has what is special.
fn third(x: f32) -> f32 = x / 3;

kernel vectors(s: f32, a: f32[n], x: f32[n], out y: f32[n], out z: f32[n], out u: f32[n], out v: f32[n])
{
	map y[i] = (i % 4 == 0 ? a[i] : s * f32(i - 1000)) / 118 strict;
	map z[i] = x[i] / 118, u[i] = third(a[i]) / -7 strict;
	map v[i] = s * f32(i) / 59 / (i % 2 == 0 ? a[i] / 0.3 : 7) strict;
}
// Subnormal quotients: ties, and what a first rounding makes a tie.
kernel ties(a: f32[n], out y: f32[n], out z: f32[n], out u: f64[n])
{
	map y[i] = i < 0 ? a[i] : 1.4e-45 * f32(i) / 118 strict;
	map z[i] = 1.4e-45 * f32(i - 200) / 7.25, u[i] = 4.94e-324 * f64(i) / 59 strict;
}
kernel false_ties(out y: f32[n], out z: f32[n], out u: f64[n])
{
	map y[i] = 1.1e-38 * f32(i - 200) / 118, z[i] = 1.1e-39 * f32(i - 200) / -47.3 strict;
	map u[i] = 2.1e-308 * f64(i - 200) / 118 strict;
}
// No rest makes two products right: they are corrected.
kernel stubborn(s: f32, a: f32[n], out y: f32[n], out z: f32[n])
{
	map y[i] = (i % 4 == 0 ? a[i] : s * f32(i - 1000)) / 1.05878294 strict;
	map z[i] = i % 3 == 0 ? a[i] / 1.05878294 : 0 strict;
}
kernel scalars(s: f32, d: f32, k: f32, a: f32[n], out y: f32[n], out z: f32[n], out u: f32[n])
{
	map y[i] = (i % 4 == 0 ? a[i] : s * f32(i - 1000)) / d strict;
	map z[i] = a[i] / k / (k + 0.1), u[i] = 1.1e-38 * f32(i - 200) / d strict;
}
// A size, a counter; one cell a thread, and behind a condition.
kernel others(s: f32, d: f32, k: i32, inout y: f32[n], out z: f32)
{
	require k <= 20;
	repeat t < k { map y[i] = y[i] / f32(t + 3) strict; }
	reduce z = max[i](i % 3 == 1 ? y[i] / d : y[i] / f32(n)) strict;
}
kernel doubles(s: f64, d: f64, a: f64[n], out y: f64[n], out z: f64[n])
{
	map y[i] = (i % 4 == 0 ? a[i] : s * f64(i - 1000)) / 118 strict;
	map z[i] = (i % 4 == 0 ? a[i] : s * f64(i - 1000)) / d strict;
}
// Multiples of a power of two are never small: there is no branch.
kernel multiples(a: u8[n], b: f16[n], c: i64[n], out x: f32[n], out y: f16[n], out z: f64[n])
{
	map x[i] = (0.5 * f32(a[i]) - 3) / 255 strict;
	map y[i] = b[i] * b[i] / 3 strict;
	map z[i] = abs(f64(c[i])) / 1e9 strict;
}
// By nothing, by infinity, by what is subnormal or too large.
kernel extremes(x: f32[n], d: f32, out a: f32[n], out b: f32[n], out c: f32[n], out e: f32[n])
{
	map a[i] = x[i] / d, b[i] = x[i] / 1e-40, c[i] = x[i] / 3e38, e[i] = x[i] / 0.1e31 strict;
}
kernel rows(x: f32[n, m], d: f32, out y: f32[n])
{
	reduce y[i] = max[j](x[i, j] / d - x[i, j] / 9) strict;
}
// The same quotient once; a constant of the loop that is divided.
kernel shared(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n])
{
	map a[i] = x[i] / 118 + y[i], b[i] = x[i] / 118 - y[i], c[i] = (x[i] + y[i]) / 11 strict;
}
