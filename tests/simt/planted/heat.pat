// stencil from L1: vectors where all neighbours are inside, single cells with their edges
// elsewhere.
kernel heat(a: f32[n, m], out b: f32[n, m])
{
	stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}
schedule heat for cuda { stage l1; }
schedule heat for hip { stage l1; }
