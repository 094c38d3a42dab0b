// products_small.pat - many products of few cells: rows of any length, every order in memory, shared operands, types, what is around.
kernel plain(a: f32[s, 4, 4], b: f32[s, 4, 4], out c: f32[s, 4, 4])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}
kernel odd(a: f32[s, 3, 3], b: f32[s, 3, 3], inout c: f32[s, 3, 3], alpha: f32)
{
	matmul c[q, i, j] = alpha * sum[k](a[q, i, k] * b[q, k, j]) + c[q, i, j];
}
kernel shared(a: f64[5, 6], b: f64[s, 7, 6], out c: f64[s, 5, 7])
{
	matmul c[q, i, j] = sum[k](a[i, k] * b[q, j, k]);
}
kernel halves(a: f16[s, 2, 4], b: bf16[s, 4, 8], scale: f32[s], bias: f32[8], out c: f16[s, 2, 8], inout d: f32[s, 8, 2])
{
	let p: f32[s, 2, 8];
	matmul p[q, i, j] = sum[k](f32(a[q, i, k]) * f32(b[q, k, j]));
	map c[q, i, j] = f16(max(scale[q] * p[q, i, j] + bias[j], 0));
	matmul d[q, j, i] += sum[k](f32(a[q, i, k]) * f32(b[q, k, j])) where i <= j;
}
kernel eight(a: f32[r, s, 8, 8], b: f32[s, 8, 8], inout c: f32[r, s, 8, 8])
{
	matmul c[p, q, i, j] -= sum[k](a[p, q, i, k] * b[q, k, j]);
}
kernel last(a: i32[4, 5, s], b: i32[s, 5, 4], out c: i32[4, 4, s], w: f32[s, 2, 2] , out v: f32[s, 2, 2])
{
	matmul c[i, j, q] = min[k](a[i, k, q] + b[q, k, j]);
	matmul v[q, i, j] = sum[k](w[q, i, k] * w[q, k, j]) for q in 1..s;
}
kernel full(a: f32[s, 16, 16], b: f32[s, 16, 16], out c: f32[s, 16, 16], x: f64[s, 16, 4], y: f64[s, 4, 6], out z: f32[s, 16, 6])
{
	matmul c[q, i, j] = sum[k](a[q, k, i] * b[q, k, j]) strict;
	matmul z[q, i, j] = f32(sum[k](x[q, i, k] * y[q, k, j]));
}
// a pinned width; cells one by one; a result that is no array's share
kernel narrow(a: f32[s, 6, 5], b: f32[s, 5, 12], inout c: f32[s, 6, 12], u: u32[s, 1, 3], v: u32[s, 3, 1], out w: u32[s, 2, 2])
{
	matmul c[q, i, j] = max[k](a[q, i, k] * b[q, k, j]);
	single: matmul w[q, i + 1, j + 1] = sum[k](u[q, i, k] * v[q, k, j]) for q in 0..s, i in 0..1, j in 0..1;
}
schedule narrow for cuda { vector 2; single: vector 1; }
