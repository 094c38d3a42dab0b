// Folds over ranges that data decide, behind conditions: neither ends nor terms are read, nor recorded, that they leave out.
kernel rows_before(row: i32[m+1], x: f32[nnz], out y: f32[m]) {
	reduce y[r] = r > 0 ? sum[e in row[r-1]..row[r]](x[e]) : 0;
}
kernel rows_after(row: i32[m+1], x: f32[nnz], out y: f32[m]) {
	reduce y[r] = r + 1 < m ? sum[e in row[r+1]..row[r+2]](x[e]) : 0;
}
kernel csr(row: i32[m+1], col: i32[nnz], val: f32[nnz], x: f32[n], on: bool[m], out y: f32[m]) {
	reduce y[r] = on[r] ? sum[e in row[r]..row[r+1]](val[e] * x[col[e]]) : 0;
}
kernel csr_tests(row: i32[m+1], col: i32[nnz], val: f32[nnz], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](col[e] >= 0 && col[e] < n ? val[e] * x[col[e]] : 0);
}
kernel csr_before(row: i32[m+1], val: f32[nnz], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](e > 0 ? val[e] * val[e-1] : 0);
}
kernel csr_behind(row: i32[m+1], val: f32[nnz], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1] where e + 1 < nnz](val[e] - val[e+1]);
}
kernel csr_guard(row: i32[m+1], val: f32[nnz], w: f32[p], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](r < p ? val[e] * w[r] : 0);
}
kernel ranges(from: i32[m], to: i32[m], x: f32[n], w: f32[m], out y: f32[m]) {
	reduce y[r] = r > 0 ? max[e in from[r-1]..to[r-1]](x[e] * w[r-1]) : 0;
}
kernel masked(row: i32[m+1], x: f32[nnz], out y: f32[m]) {
	reduce y[r] = sum[e in row[r+1]..row[r+2]](x[e]) where r + 1 < m;
}
kernel counted(len: i32[n], x: f32[n, m], out y: f32[n]) {
	reduce y[i] = i > 0 ? sum[j in 0..len[i-1]](x[i-1, j]) : 0;
}
kernel two(row: i32[m+1], x: f32[nnz], z: f32[nnz], out y: f32[m]) {
	reduce y[r] = (r > 0 ? sum[e in row[r-1]..row[r]](x[e]) : 0) + sum[e in row[r]..row[r+1]](z[e]);
}
kernel times(row: i32[m+1], x: f32[t, nnz], inout y: f32[t, m]) {
	repeat s < t {
		reduce y[s, r] = (s > 0 ? sum[e in row[r]..row[r+1]](x[s-1, e]) : 1);
	}
}
