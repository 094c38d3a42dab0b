kernel chain(p: i64[n+1], inout t: i64[n, n]) {
	wavefront t[i, j] = j > i ? min[k in i..j](t[i, k] + t[k+1, j] + p[i] * p[k+1] * p[j+1]) : 0 from below for i in 0..n, j in i..n;
}
kernel chain_out(p: i64[n+1], out t: i64[n, n]) {
	wavefront t[i, j] = j > i ? min[k in i..j](t[i, k] + t[k+1, j] + p[i] * p[k+1] * p[j+1]) : 0 from below;
}
kernel solve(a: f64[n, n], b: f64[n], out x: f64[n]) {
	wavefront x[i] = (b[i] - sum[j in 0..i](a[i, j] * x[j])) / a[i, i];
}
kernel solve_many(a: f64[n, n], b: f64[n, m], out x: f64[n, m]) {
	wavefront x[i, r] = (b[i, r] - sum[j in 0..i](a[i, j] * x[j, r])) / a[i, i];
}
kernel solve_back(a: f64[n, n], b: f64[n], out x: f64[n]) {
	wavefront x[i] = (b[i] - sum[j in i+1..n](a[i, j] * x[j])) / a[i, i] from right;
}
kernel cholesky(inout a: f64[n, n]) {
	wavefront a[i, j] = i == j ? sqrt(a[i, j] - sum[k in 0..j](a[i, k] * a[i, k])) : (a[i, j] - sum[k in 0..j](a[i, k] * a[j, k])) / a[j, j] for i in 0..n, j in 0..i+1;
}
kernel lu(inout a: f64[n, n]) {
	wavefront a[i, j] = i <= j ? a[i, j] - sum[k in 0..i](a[i, k] * a[k, j]) : (a[i, j] - sum[k in 0..j](a[i, k] * a[k, j])) / a[j, j];
}
kernel nussinov(pair: i32[n, n], out t: i32[n, n]) {
	wavefront t[i, j] = j > i ? max(max[k in i..j](t[i, k] + t[k+1, j]), (j > i + 1 ? t[i+1, j-1] : 0) + pair[i, j]) : 0 from below boundary 0;
}
test all {
	chain_out(p = [10, 30, 5, 60]) -> t = [[0, 1500, 4500], [0, 0, 9000], [0, 0, 0]];
	chain(p = [10, 30, 5, 60], t = 7) -> t = [[0, 1500, 4500], [7, 0, 9000], [7, 7, 0]];
	solve(a = [[2, 0], [1, 4]], b = [2, 9]) -> x = [1, 2];
	solve_back(a = [[2, 1], [0, 4]], b = [4, 8]) -> x = [1, 2];
	solve_many(a = [[2, 0], [1, 4]], b = [[2, 4], [9, 10]]) -> x = [[1, 2], [2, 2]];
	cholesky(a = [[4, 0], [2, 5]]) -> a = [[2, 0], [1, 2]];
	lu(a = [[2, 4], [4, 11]]) -> a = [[2, 4], [2, 3]];
}
