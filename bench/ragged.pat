// ragged.pat - sums of segments, and the product of a sparse matrix in CSR with a vector.
kernel segment_sums_f32(off: i32[s+1], x: f32[n], out y: f32[s])
{
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}

kernel csr_f32(row: i32[r+1], col: i32[nnz], val: f32[nnz], x: f32[c], out y: f32[r])
{
	reduce y[i] = sum[e in row[i]..row[i+1]](val[e] * x[col[e]]);
}
