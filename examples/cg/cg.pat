// cg.pat - conjugate gradients: A x = b for a symmetric, positive definite A in rows of its
// nonzeros (CSR).

kernel solve(row: i32[n+1], column: i32[nonzeros], value: f64[nonzeros], b: f64[n], eps: f64,
             inout x: f64[n], out residual: f64[most], out passes: i64)
{
	let r: f64[n];
	let p: f64[n];
	let q: f64[n];
	let rr: f64;        // of the residual r = b - A x, squared
	let before: f64;    // one pass ago
	let pq: f64;
	let bb: f64;

	start: reduce r[i] = b[i] - sum[e in row[i]..row[i+1]](value[e] * x[column[e]]);
	map p[i] = r[i];
	reduce rr = sum[i](r[i] * r[i]), bb = sum[i](b[i] * b[i]);
	map passes = 0;
	repeat until rr <= eps * eps * bb at most most {
		product: reduce q[i] = sum[e in row[i]..row[i+1]](value[e] * p[column[e]]);
		reduce pq = sum[i](p[i] * q[i]);
		advance: map x[i] = x[i] + (pq > 0 ? rr / pq : 0) * p[i],
			r[i] = r[i] - (pq > 0 ? rr / pq : 0) * q[i];
		map before = rr;
		reduce rr = sum[i](r[i] * r[i]);
		turn: map p[i] = r[i] + (before > 0 ? rr / before : 0) * p[i];
		note: map residual[k] = sqrt(rr / max(bb, 1e-300)) for k in passes..passes+1;
		map passes += 1;
	}
}
