// transpose.pat - the canonical transpose: rows of tiles become columns.
kernel transpose(A: f32[n, m], out B: f32[m, n]) {
	transpose B[j, i] = A[i, j];
}
