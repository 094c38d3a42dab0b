// reduce along rows: a group of lanes for each, as wide as the row is long.
kernel rows(a: f32[n, m], out s: f32[n])
{
	reduce s[i] = sum[j](a[i, j]);
}
