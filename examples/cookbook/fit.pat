// fit.pat - a cubic through each of many series, by least squares (scientific computing; the normal
// equations of Gauss).  Patterns: reduce, solve of dense systems.
fn power(t: f64, e: i64) -> f64 {
	var p: f64 = 1;
	for k in 0..e { p = p * t; }
	return p;
}

kernel fit(t: f64[m, n], y: f64[m, n], out c: f64[m, 4]) {
	let moment: f64[m, 7];
	let right: f64[m, 4];
	reduce moment[q, e] = sum[s](power(t[q, s], e));
	reduce right[q, i] = sum[s](y[q, s] * power(t[q, s], i));
	solve c[q, i] in sum[j](moment[q, i + j] * c[q, j]) = right[q, i] symmetric positive;
}

test known {
	fit(t = [[0, 1, 2, -1]], y = [[1, 4, 15, 0]]) -> c = [[1, 1, 1, 1]] within 1e-9;
	fit(t = [[0, 1, -1, 2, -2]], y = [[1, 2, 2, 5, 5]]) -> c = [[1, 0, 1, 0]] within 1e-9;
}
