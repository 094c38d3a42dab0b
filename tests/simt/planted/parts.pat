// reduce to a scalar: lanes, warps, blocks; a second kernel folds what the blocks found.
kernel parts(x: f32[n, m], out s: f32)
{
	reduce s = sum[i, j](x[i, j]);
}
