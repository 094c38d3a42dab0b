// Rows whose lengths an index decides: on a GPU threads share their terms, as if all had one length.
kernel tri(x: f32[n, m], out l: f32[n], out c: f32[n]) {
	reduce l[i] = min[j in 0..min(i, m)](x[i, j]);
	reduce c[i] = sum[j in 0..min(i, m)](x[i, j]);
}
kernel upper(x: f32[n, n], y: f32[n], out l: f32[n], out c: f32[n]) {
	reduce l[i] = sum[j in i+1..n](x[i, j] * y[j]);
	reduce c[i] = sum[j in i+1..n where x[i, j] > 0](x[i, j] * y[j-1] + y[i]);
}
kernel band(x: f32[n, n], out l: f32[n]) {
	reduce l[i] = sum[j in max(i-2, 0)..min(i+3, n)](x[i, j]);
}
kernel anti(x: f32[n, n], out l: f32[n]) {
	reduce l[i] = max[j in 0..n-i](x[i, j]);
}
kernel along(x: f32[n, n], out l: f32[n]) {
	reduce l[j] = max[i in 0..j](x[i, j]);
}
kernel cells(x: f32[n, m, m], out l: f32[n, m]) {
	reduce l[i, j] = sum[k in j..m](x[i, j, k]);
}
kernel causal(s: f32[n, n], out y: f32[n]) {
	let top: f32[n];
	reduce top[i] = max[j in 0..i+1](s[i, j]);
	reduce y[i] = sum[j in 0..i+1](exp(s[i, j] - top[i]));
}
kernel few(x: f64[n, m], y: i32[m], out l: f64[n], out c: i64[n], k: i64) {
	reduce l[i] = prod[j in 0..min(i+1, m)](x[i, j]);
	reduce c[i] = count[q in min(i, m)..m](y[q] > i) where i % 3 != 1;
}
kernel far(x: i32[n, n], inout l: i32[n-1]) {
	reduce l[i] = max[j in 0..i](x[i+1, j+1] + x[i, j]) for i in 1..n-1;
}
kernel halves(x: f16[h, h], out l: f32[h]) {
	reduce l[i] = sum[j in h-1-i..h](f32(x[i, j])) / f32(i + 1);
}
kernel nothing(x: f32[n, n], y: f32[n], out l: f32[n]) {
	reduce l[i] = sum[j in 1..i](x[i, j] * y[i-1]);
}
test of_three {
	causal(s = [[0, 9, 9], [1, 1, 9], [2, 2, 2]]) -> y = [1, 2, 3];
	upper(x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], y = [1, 10, 100]) -> l = [320, 600, 0];
	nothing(x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], y = [1, 10, 100]) -> l = [0, 0, 80];
}
