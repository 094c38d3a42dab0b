// stencil from shared memory: a tile with its halo.
kernel shared(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}
schedule shared for cuda { stage shared; }
schedule shared for hip { stage shared; }
