// matmul: many small products; rows that are vectors, and rows that are not.
kernel few(a: f32[s, 4, 4], out c: f32[s, 4, 4])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * a[q, k, j]);
}
kernel odd(a: f32[s, 3, 5], b: f32[s, 5, 3], inout c: f32[s, 3, 3])
{
	matmul c[q, i, j] += sum[k](a[q, i, k] * b[q, k, j]);
}
