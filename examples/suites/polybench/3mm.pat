// G = (A B) (C D)
kernel k3mm(A: f64[ni, nk], B: f64[nk, nj], C: f64[nj, nm], D: f64[nm, nl], out G: f64[ni, nl]) {
	let E: f64[ni, nj];
	let F: f64[nj, nl];
	matmul E[i, j] = sum[k](A[i, k] * B[k, j]);
	matmul F[i, j] = sum[k](C[i, k] * D[k, j]);
	matmul G[i, j] = sum[k](E[i, k] * F[k, j]);
}
