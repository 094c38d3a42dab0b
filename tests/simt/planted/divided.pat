// Quotients by a constant and by a scalar that are products: subnormal ones, ties, and what is too large.
kernel divided(d: f32, out y: f32[n], out z: f32[n], out u: f32[n], out v: f32[n])
{
	map y[i] = 1.4e-45 * f32(i - 200) / 118, z[i] = 1.1e-38 * f32(i - 200) / 118 strict;
	map u[i] = 1.1e-38 * f32(i - 200) / d, v[i] = 1e36 * f32(i - 200) / d strict;
}
