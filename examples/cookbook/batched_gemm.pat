// batched_gemm.pat - many products of small matrices, with a bias (BLAS gemmStridedBatched).
// Patterns: matmul.
kernel batched_gemm(a: f32[batch, n, l], b: f32[batch, l, m], bias: f32[m],
                    out c: f32[batch, n, m]) {
	matmul c[p, i, j] = bias[j] + sum[k](a[p, i, k] * b[p, k, j]);
}

test known {
	batched_gemm(a = [[[1, 2]], [[3, 4]]], b = [[[5], [6]], [[7], [8]]], bias = [1])
		-> c = [[[18]], [[54]]];
}
