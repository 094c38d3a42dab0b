// The two products of a step of BiCG: s = A^T r and q = A p
kernel bicg(A: f64[n, m], out s: f64[m], out q: f64[n], p: f64[m], r: f64[n]) {
	reduce s[j] = sum[i](r[i] * A[i, j]);
	reduce q[i] = sum[j](A[i, j] * p[j]);
}
