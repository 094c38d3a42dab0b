// products_sized.pat - batches whose sizes the host finds small, or not: every order in memory, types, laws, what is around.
kernel plain(a: f32[s, n, l], b: f32[s, l, m], out c: f32[s, n, m])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}
kernel others(a: f16[r, s, l, n], b: f32[m, l], inout c: f32[r, s, n, m], bias: f32[m])
{
	matmul c[p, q, i, j] = sum[k](f32(a[p, q, k, i]) * b[j, k]) + bias[j] + c[p, q, i, j];
}
kernel last(a: i32[n, l, s], b: i32[l, 5], inout c: i32[s, 5, n])
{
	matmul c[q, j, i] = min[k](a[i, k, q] + b[k, j]) where i >= q;
}
kernel wide(a: f64[s, 7, l], b: f64[l, m] layout row(ld), out c: f64[s, 7, m])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[k, j]) strict;
}
