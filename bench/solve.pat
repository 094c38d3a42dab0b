// solve - sparse triangular systems by rows: the parts of a matrix below and above its diagonal.
kernel solve_lower(row: i32[n+1], col: i32[nnz], v: f32[nnz], b: f32[n], out x: f32[n]) {
	wavefront x[i] = b[i] - sum[e in row[i]..row[i+1]](v[e] * x[col[e]]);
}
kernel solve_upper(row: i32[n+1], col: i32[nnz], v: f32[nnz], d: f32[n], b: f32[n], out x: f32[n]) {
	wavefront x[i] = (b[i] - sum[e in row[i]..row[i+1]](v[e] * x[col[e]])) / d[i] from right;
}
kernel solve_masked(row: i32[n+1], col: i32[nnz], v: f32[nnz], b: f32[n], out x: f32[n]) {
	wavefront x[i] = b[i] - sum[e in row[i]..row[i+1] where col[e] < i](v[e] * x[col[e]]);
}
kernel solve_many(row: i32[n+1], col: i32[nnz], v: f32[nnz], b: f32[n, m], out x: f32[n, m]) {
	wavefront x[i, c] = b[i, c] - sum[e in row[i]..row[i+1]](v[e] * x[col[e], c]);
}
