// reduce to a scalar: lanes, warps, blocks, the last block folds what all found.
kernel total(x: f32[n, m], out s: f32)
{
	reduce s = sum[i, j](x[i, j]);
}
