// reduce.pat - the extremes and the sum of an array in one pass, and the sums of a table's rows.
kernel extent(x: f32[n], out lo: f32, out hi: f32, out total: f64)
{
	reduce lo = min[i](x[i]), hi = max[i](x[i]), total = sum[i](f64(x[i]));
}

kernel rows(a: f32[n, m], out s: f32[n])
{
	reduce s[i] = sum[j](a[i, j]);
}
