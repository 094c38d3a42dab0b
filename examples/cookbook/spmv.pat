// spmv.pat - a sparse matrix times a vector, rows compressed (cuSPARSE; Futhark's examples).
// Patterns: reduce over ranges that data decide.
kernel spmv(row: i32[n+1], column: i32[nonzeros], value: f32[nonzeros], x: f32[m], out y: f32[n]) {
	reduce y[i] = sum[e in row[i]..row[i+1]](value[e] * x[column[e]]);
}

test known {
	spmv(row = [0, 2, 2, 3], column = [0, 1, 1], value = [1, 2, 3], x = [10, 20])
		-> y = [50, 0, 60];
	spmv(row = [0, 1], column = [7], value = [1], x = [10, 20]) -> y = [0] status index;
}
