// reduce to a scalar, in a loop: lanes, warps, blocks, the last block folds what all found.
kernel total(x: f32[n, m], out s: f32)
{
	repeat t < 1 {
		reduce s = sum[i, j](x[i, j]);
	}
}
