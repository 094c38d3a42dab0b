// D = alpha A B C + beta D
kernel k2mm(alpha: f64, beta: f64, A: f64[ni, nk], B: f64[nk, nj], C: f64[nj, nl],
            inout D: f64[ni, nl]) {
	let tmp: f64[ni, nj];
	matmul tmp[i, j] = alpha * sum[k](A[i, k] * B[k, j]);
	matmul D[i, j] = beta * D[i, j] + sum[k](tmp[i, k] * C[k, j]);
}
