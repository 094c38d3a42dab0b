// system.pat - systems of linear equations as wavefronts whose folds read what is computed:
// triangular ones with many right sides, and factors in place.
kernel systems_lower(a: f32[n, n], b: f32[n, m], out x: f32[n, m])
{
	wavefront x[i, c] = (b[i, c] - sum[j in 0..i](a[i, j] * x[j, c])) / a[i, i];
}

kernel systems_upper(a: f32[n, n], b: f32[n, m], out x: f32[n, m])
{
	wavefront x[i, c] = (b[i, c] - sum[j in i+1..n](a[i, j] * x[j, c])) / a[i, i] from below;
}

kernel systems_f64(a: f64[n, n], b: f64[n, m], out x: f64[n, m])
{
	wavefront x[i, c] = (b[i, c] - sum[j in 0..i](a[i, j] * x[j, c])) / a[i, i];
}

kernel lu_f32(inout a: f32[n, n])
{
	wavefront a[i, j] = i <= j ? a[i, j] - sum[k in 0..i](a[i, k] * a[k, j])
	                           : (a[i, j] - sum[k in 0..j](a[i, k] * a[k, j])) / a[j, j];
}

kernel cholesky_f32(inout a: f32[n, n])
{
	wavefront a[i, j] = i == j ? sqrt(a[i, j] - sum[k in 0..j](a[i, k] * a[i, k]))
	                           : (a[i, j] - sum[k in 0..j](a[i, k] * a[j, k])) / a[j, j]
		for i in 0..n, j in 0..i+1;
}
