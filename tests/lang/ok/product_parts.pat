// product_parts.pat - few tiles of many terms: blocks share them; batches, ranges, what is around a fold, what does not commute, strict.
op last(a: i32, b: i32) -> i32 = b != 0 ? b : a identity 0, associative;
kernel gram(x: f32[l, 6], out g: f32[6, 6]) {
	matmul g[i, j] = sum[k](x[k, i] * x[k, j]);
}
kernel sums(A: f32[35, 1100], B: f32[1100, 19], inout C: f32[35, 19], D: f64[2, 600, 17], E: f64[600, 21], inout F: f64[2, 17, 21]) {
	matmul C[i, j] = 2 * C[i, j] + sum[k](A[i, k] * B[k, j]) for i in 1..35;
	matmul F[q, i, j] = max[k](D[q, k, i] + E[k, j]) where i != j;
}
kernel others(p: i32[40, 516], q: i32[516, 9], out s: i32[40, 9], out t: i32[40, 9], x: i8[9, 520] , y: i8[33, 520], out z: f32[9, 33]) {
	matmul s[i, j] = last[k](p[i, k] & q[k, j]);
	matmul t[i, j] = sum[k](p[i, k] * q[k, j]) strict;
	matmul z[i, j] = sqrt(f32(sum[k in 3..520](i32(x[i, k]) * i32(y[j, k]))));
}
