// Folds in conditions of folds, in later equations, under masks that read cells; ranges of their own; many operands.
kernel chosen(p: i32[n, n], out t: i32[n, n]) {
	wavefront t[i, j] = j > i ? (min[k in i..j](t[i, k] + t[k+1, j]) > 9 ? p[i, j] + max[k in i..j](t[i, k] - t[k+1, j]) : sum[k in i..j](t[i, k] * 3 % 7)) : p[i, j] % 5 from below;
}
kernel places(p: i32[n, n], out t: i32[n, n], out a: i64[n, n], out b: i32[n, n]) {
	wavefront t[i, j] = j > i ? p[i, j] % 9 + min[k in i..j](t[i, k] + t[k+1, j]) : p[i, j] % 5,
	          a[i, j] = j > i ? argmin[k in i..j](t[i, k] + t[k+1, j] - p[k, k] % 3) : i,
	          b[i, j] = t[i, j] > 3 ? max[k in i..j](t[k, j] % 5 + b[i, k]) : t[i, j-1] from below boundary 0;
}
kernel masked(p: i32[n, m], inout t: i32[n, m]) {
	wavefront t[i, j] = p[i, j] % 3 - sum[k in max(0, j-70)..j](t[i, k] * p[i, k] % 11) where t[i, j-1] % 4 != 1 boundary 2;
}
kernel banded(a: f64[n, n], inout x: f64[n, n]) {
	wavefront x[i, j] = x[i, j] - sum[k in max(0, max(i, j)-50)..min(i, j)](x[i, k] * x[k, j]) / (4 * n + abs(a[i, j]));
}
kernel far(p: i32[n, n], out t: i32[n, n]) {
	wavefront t[i, j] = p[i, j] % 7 + max[k in j+1..n](t[i, k] % 5 - p[k, j]) + (i > j && any[k in 0..i](t[k, j] > 3 && p[k, k] > 0) ? 1 : t[i, j+1]) from right boundary 0;
}
kernel weighed(u: f64[n], v: f64[n], w: f64[n, n], s: f64, out t: f64[n, n]) {
	wavefront t[i, j] = j > i ? max[k in i..j](t[i, k] * 0.5 + t[k+1, j] * 0.25 + u[i] * w[k, j] - v[k] * s + w[i, k] * u[j]) : u[i] from below;
}
