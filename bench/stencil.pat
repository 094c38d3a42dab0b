// stencil.pat - one step of the stencils of the literature.  The names of the first three say where
// the cells that are read several times are held: as the compiler decides, in L1, in shared memory.
kernel five(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = 0.5 * a[i, j] + 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
		boundary clamp;
}

kernel five_l1(a: f32[n, m], out b: f32[n, m])
{
	step: stencil b[i, j] = 0.5 * a[i, j] + 0.125 *
		(a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}

kernel five_shared(a: f32[n, m], out b: f32[n, m])
{
	step: stencil b[i, j] = 0.5 * a[i, j] + 0.125 *
		(a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}

kernel five_inside(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = 0.5 * a[i, j] + 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
		for i in 1..n-1, j in 1..m-1;
}

kernel five_change(a: f32[n, m], out b: f32[n, m], out change: f32)
{
	stencil b[i, j] = 0.5 * a[i, j] + 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
		boundary clamp;
	reduce change = max[i, j](abs(b[i, j] - a[i, j]));
}

// Divided by what is known, or given by the call, and multiplied instead.
kernel five_divided(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = (15 * a[i, j] + 5.1 * a[i-1, j] + 5.2 * a[i+1, j] + 12.1 * a[i, j-1]
		+ 12.2 * a[i, j+1]) / 118 boundary clamp;
}

kernel five_divisor(d: f32, a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = (15 * a[i, j] + 5.1 * a[i-1, j] + 5.2 * a[i+1, j] + 12.1 * a[i, j-1]
		+ 12.2 * a[i, j+1]) / d boundary clamp;
}

kernel five_product(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = (15 * a[i, j] + 5.1 * a[i-1, j] + 5.2 * a[i+1, j] + 12.1 * a[i, j-1]
		+ 12.2 * a[i, j+1]) * (1.0 / 118) boundary clamp;
}

kernel seven(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] = 0.4 * a[i, j, k] + 0.1 * (a[i-1, j, k] + a[i+1, j, k]
		+ a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
}

fn row27(l: f32, c: f32, r: f32) -> f32 = 0.25 * l + 0.5 * c + 0.25 * r;

kernel twentyseven(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] =
		0.0625 * row27(a[i-1, j-1, k-1], a[i-1, j-1, k], a[i-1, j-1, k+1])
		+ 0.125 * row27(a[i-1, j, k-1], a[i-1, j, k], a[i-1, j, k+1])
		+ 0.0625 * row27(a[i-1, j+1, k-1], a[i-1, j+1, k], a[i-1, j+1, k+1])
		+ 0.125 * row27(a[i, j-1, k-1], a[i, j-1, k], a[i, j-1, k+1])
		+ 0.25 * row27(a[i, j, k-1], a[i, j, k], a[i, j, k+1])
		+ 0.125 * row27(a[i, j+1, k-1], a[i, j+1, k], a[i, j+1, k+1])
		+ 0.0625 * row27(a[i+1, j-1, k-1], a[i+1, j-1, k], a[i+1, j-1, k+1])
		+ 0.125 * row27(a[i+1, j, k-1], a[i+1, j, k], a[i+1, j, k+1])
		+ 0.0625 * row27(a[i+1, j+1, k-1], a[i+1, j+1, k], a[i+1, j+1, k+1]) boundary clamp;
}

kernel box_u8(a: u8[n, m], out b: u8[n, m])
{
	stencil b[i, j] = u8((a[i-1, j-1] + a[i-1, j] + a[i-1, j+1] + a[i, j-1] + a[i, j]
		+ a[i, j+1]
		+ a[i+1, j-1] + a[i+1, j] + a[i+1, j+1]) / 9) boundary mirror;
}

// Windows of 21 x 21: the smallest value and its place; a sum; the mean of a radius that the call gives.
kernel darkest(a: f32[n, m], out b: f32[n, m], out p: i64[n, m], out q: i64[n, m])
{
	stencil b[i, j], p[i, j], q[i, j] = argmin[k in -10..11, l in -10..11](a[i + k, j + l])
		boundary clamp;
}

kernel darkest_radius(a: f32[n, m], r: i32, out b: f32[n, m], out p: i64[n, m], out q: i64[n, m])
{
	require r >= 0, r < 4096;
	stencil b[i, j], p[i, j], q[i, j] = argmin[k in -r..r+1, l in -r..r+1](a[i + k, j + l])
		boundary clamp;
}

// A filter whose size the call gives.
kernel filter(a: f32[n, m], w: f32[s, s], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in -(s/2)..s-s/2, l in -(s/2)..s-s/2](
		w[k + s/2, l + s/2] * a[i + k, j + l]) boundary clamp;
}

kernel box(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in -10..11, l in -10..11](a[i + k, j + l]) boundary clamp;
}

kernel box_radius(a: f32[n, m], r: i32, out b: f32[n, m])
{
	require r >= 0, r < 4096;
	stencil b[i, j] = sum[k in -r..r+1, l in -r..r+1](a[i + k, j + l])
		/ f32((2 * r + 1) * (2 * r + 1)) boundary clamp;
}

// Windows of 101 cells of a row and of a column.
kernel row_sum(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in -50..51](a[i, j + k]) boundary clamp;
}

kernel column_sum(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in -50..51](a[i + k, j]) boundary clamp;
}

// A Gaussian of 11 x 11, the brightest of 21 x 21.
kernel gaussian(a: f32[n, m], w: f32[11], out b: f32[n, m])
{
	stencil b[i, j] = sum[k in 0..11, l in 0..11](w[k] * w[l] * a[i + k - 5, j + l - 5])
		boundary clamp;
}

kernel brightest(a: u8[n, m], out b: u8[n, m])
{
	stencil b[i, j] = max[k in -10..11, l in -10..11](a[i + k, j + l]) boundary clamp;
}

// Where a 7 x 7 patch of a lies in c, at most four cells away.
kernel patches(a: f32[n, m], c: f32[n, m], out b: f32[n, m], out p: i64[n, m], out q: i64[n, m])
{
	stencil b[i, j], p[i, j], q[i, j] = argmin[u in -4..5, v in -4..5](
		sum[k in -3..4, l in -3..4](abs(a[i+k, j+l] - c[i+k+u, j+l+v]))) boundary clamp;
}

schedule five_l1 for cuda { step: stage l1; }
schedule five_shared for cuda { step: stage shared; }

// convolutions, channels last: cuDNN's
kernel convolution_bf16(x: bf16[n, h, w, c], f: bf16[k, 3, 3, c], out y: bf16[n, h, w, k])
{
	stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
}

kernel convolution_f32(x: f32[n, h, w, c], f: f32[k, 3, 3, c], out y: f32[n, h, w, k])
{
	stencil y[i, p, q, o] = sum[r, s, a](x[i, p+r-1, q+s-1, a] * f[o, r, s, a]) boundary (0);
}
