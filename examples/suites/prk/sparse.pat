// y += A x, A by compressed rows; every cell of x grows by one before
kernel sparse(iterations: i64, rows: i64[n+1], column: i64[nonzeros], value: f64[nonzeros],
              inout x: f64[n],
              inout y: f64[n]) {
	repeat t < iterations {
		map x[i] += 1;
		reduce y[i] += sum[e in rows[i]..rows[i+1]](value[e] * x[column[e]]);
	}
}
