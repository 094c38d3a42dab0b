// product_walks.pat - large tiles brought cell by cell: rows that are not aligned, and tiles that are moved back to be whole; ones of
// a batch, whose place waits in shared memory.
kernel plain(A: f32[130, l], B: f32[l, 133], inout C: f32[130, 133], D: f32[l, 131], E: f32[129, l], inout F: f32[131, 129]) {
	one: matmul C[i, j] += sum[k](A[i, k] * B[k, j]);
	two: matmul F[i, j] -= sum[k](D[k, i] * (E[j, k] + 1)) where i != j;
}
kernel batch(A: f64[2, 65, l], B: f64[l, 131] layout row(ld), inout C: f64[2, 65, 131], p: i32[67, l], q: i32[l, 133], inout s: i32[67, 133]) {
	one: matmul C[b, i, j] += sum[k](A[b, i, k] * B[k, j]);
	two: matmul s[i, j] = min[k](p[i, k] + q[k, j]) for i in 1..67;
}
kernel sums(p: i32[130, l], q: i8[l, 129], inout s: i32[130, 129]) {
	one: matmul s[i, j] = sum[k](p[i, k] * q[k, j]);
}
kernel crowd(A: f32[2, 1, 129, l], B: f16[1, l, 132], inout C: f32[2, 1, 129, 132]) {
	one: matmul C[p, q, i, j] += sum[k](A[p, q, i, k] * B[q, k, j]);
}
schedule plain for cuda { one: tile 64 x 128; two: tile 64 x 128; }
schedule plain for hip { one: tile 128 x 128; two: tile 64 x 128; }
schedule plain for hip wave64 { one: tile 128 x 128; two: tile 128 x 128; }
schedule plain for hip gfx90a { one: tile 128 x 128; two: tile 128 x 128; }
schedule batch for cuda { one: tile 64 x 128; two: tile 64 x 128; }
schedule batch for hip { one: tile 64 x 128; two: tile 64 x 128; }
schedule sums for cuda { one: tile 128 x 128; }
schedule sums for hip { one: tile 128 x 64; }
schedule crowd for cuda { one: tile 128 x 128; }
schedule crowd for hip { one: tile 128 x 128; }
