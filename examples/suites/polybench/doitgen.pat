// A[r, q, :] becomes A[r, q, :] C4
kernel doitgen(inout A: f64[nr, nq, np], C4: f64[np, np]) {
	let sum_: f64[nr, nq, np];
	matmul sum_[r, q, p] = sum[s](A[r, q, s] * C4[s, p]);
	map A[r, q, p] = sum_[r, q, p];
}
