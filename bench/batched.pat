// batched.pat - many dense systems of few unknowns: little.cu.
kernel little4(a: f32[s, 4, 4], d: f32[s, 4], out x: f32[s, 4]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel little8(a: f32[s, 8, 8], d: f32[s, 8], out x: f32[s, 8]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel little16(a: f32[s, 16, 16], d: f32[s, 16], out x: f32[s, 16]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel little32(a: f32[s, 32, 32], d: f32[s, 32], out x: f32[s, 32]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel little8d(a: f64[s, 8, 8], d: f64[s, 8], out x: f64[s, 8]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel little16d(a: f64[s, 16, 16], d: f64[s, 16], out x: f64[s, 16]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i];
}
kernel positive16(a: f32[s, 16, 16], d: f32[s, 16], out x: f32[s, 16]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i] symmetric positive;
}
kernel positive16d(a: f64[s, 16, 16], d: f64[s, 16], out x: f64[s, 16]) {
	solve x[q, i] in sum[j](a[q, i, j] * x[q, j]) = d[q, i] symmetric positive;
}
