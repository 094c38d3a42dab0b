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

schedule five_l1 for cuda { step: stage l1; }
schedule five_shared for cuda { step: stage shared; }
