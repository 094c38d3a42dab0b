// reduce along columns, in a loop: a warp across the columns, warps and blocks down the terms.
kernel columns(a: f32[n, m], out s: f32[m])
{
	repeat t < 1 {
		reduce s[j] = sum[i](a[i, j]);
	}
}
