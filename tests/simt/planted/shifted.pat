// shifted.pat - rows that begin anywhere: cells of 4 bytes, of 2 and of 1.
// SPDX-License-Identifier: 0BSD
kernel shifted(a: f32[n, 397], c: u8[n, 397], s: f16[n, 397],
	out b: f32[n, 397], out d: u8[n, 397], out t: f16[n, 397])
{
	stencil b[i, j] = 0.5 * a[i, j] + 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
		boundary clamp;
	stencil d[i, j] = c[i-1, j] ^ c[i, j] ^ c[i+1, j] boundary mirror;
	stencil t[i, j] = s[i+1, j] - s[i, j] boundary reflect;
}
