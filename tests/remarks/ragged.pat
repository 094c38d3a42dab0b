// patc --target=cuda
// Rows whose lengths data decide, and what keeps them from sharing the work.
kernel f(row: i32[m+1], other: i32[m+1], col: i32[nnz], val: f32[nnz], x: f32[n], n2: i64, out y: f32[m],
         out z: f32[m], out w: f32[m, n], inout v: f32[m]) {
	let rows: i64;
	shared: reduce y[r] = sum[e in row[r]..row[r+1]](val[e] * x[col[e]]);
	apart: reduce y[r] = sum[e in row[r]..row[r+1]](val[e]);
	kept: reduce y[r] = sum[e in row[r]..row[r+1]](val[e]);
	ordered: reduce y[r] = sum[e in row[r]..row[r+1]](val[e]) strict;
	free: reduce y[r] = sum[e in row[r]..other[r]](val[e]);
	two: reduce y[r] = sum[e in row[r]..row[r+1]](val[e]) + sum[e in other[r]..other[r+1]](val[e]);
	own: reduce v[r] = sum[e in row[r]..row[r+1]](val[e] * v[r]);
	wide: reduce w[r, k] = sum[e in row[r]..row[r+1]](val[e] * x[k]);
	masked: reduce y[r] = sum[e in row[r]..row[r+1]](val[e]) where r > 1;
	map rows = 3;
	counted: reduce v[r] = sum[e in row[r]..row[r+1]](val[e]) for r in 0..rows;
	tested: reduce v[r] = sum[e in row[r]..row[r+1]](val[e]) for r in 0..n2;
	nine: reduce y[r] = sum[e in row[r]..row[r+1]](2 * val[e]) + sum[e in row[r]..row[r+1]](3 * val[e]) + sum[e in row[r]..row[r+1]](4 * val[e]) + sum[e in row[r]..row[r+1]](5 * val[e])
		+ sum[e in row[r]..row[r+1]](6 * val[e]) + sum[e in row[r]..row[r+1]](7 * val[e]) + sum[e in row[r]..row[r+1]](8 * val[e]) + sum[e in row[r]..row[r+1]](9 * val[e]) + sum[e in row[r]..row[r+1]](10 * val[e]);
	even: reduce w[r, k] = sum[e](x[e]);
}
schedule f for cuda { apart: no regularise; kept: regularise; }
kernel one_guarded(row: i32[m+1], x: f32[n], w: f32[n], on: bool[m], out y: f32[m]) {
	some: reduce y[r] = sum[e in row[r]..row[r+1]](x[e]) + (on[r] ? sum[e in row[r]..row[r+1]](w[e]) : 0);
}
kernel one_later(row: i32[m+1], x: f32[n], w: f32[n], out y: f32[m]) {
	later: reduce y[r] = sum[e in row[r]..row[r+1]](x[e]) > 2 ? sum[e in row[r]..row[r+1]](w[e]) : 0;
}
