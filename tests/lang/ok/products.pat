// products.pat - products by tiles of every kind: operands that lie either way, types, laws, a batch, what is in front and behind.
fn gelu(x: f32) -> f32 = 0.5 * x * (1 + erf(0.70710678 * x));
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
kernel plain(A: f32[n, l], B: f32[l, m], inout C: f32[n, m], D: f32[l, n], E: f32[m, l], alpha: f32, beta: f32) {
	large: matmul C[i, j] = alpha * sum[k](A[i, k] * B[k, j]) + beta * C[i, j];
	matmul C[i, j] -= sum[k](D[k, i] * E[j, k]) where i != j;
}
kernel typed(A: f64[n, 9], B: f64[9, m] layout row(ld), inout C: f64[n, m], p: i64[n, 9], q: u32[9, m], out s: i64[n, m]) {
	matmul C[i, j] += sum[k](A[i, k] * B[k, j]);
	matmul s[i, j] = sum[k](p[i, k] * i64(q[k, j])) for i in 1..n;
}
kernel laws(A: i32[70, 17], B: i32[17, 66], inout C: i32[70, 66], out D: i32[66, 70], x: f32[5, 17], y: f32[60, 17], out d: f32[5, 60]) {
	matmul C[i, j] = min(C[i, j], min[k](A[i, k] + B[k, j]));
	matmul D[j, i] = first[k](A[i, k] & B[k, j]);
	matmul d[i, j] = sqrt(sum[k]((x[i, k] - y[j, k]) * (x[i, k] - y[j, k]))) strict;
}
kernel layer(x: f16[b, 7, l], w: i8[m, l], s: f32[b], bias: f32[m], out y: bf16[b, 7, m]) {
	let u: f32[b, 7, l];
	let p: f32[b, 7, m];
	map u[q, i, k] = s[q] * f32(x[q, i, k]);
	matmul p[q, i, j] = sum[k](u[q, i, k] * f32(w[j, k]));
	map y[q, i, j] = bf16(gelu(p[q, i, j] + bias[j]));
}
// much to keep in registers: conversions to 8 bytes, few terms, columns in memory
kernel tight(A: bf16[70, l] layout row(lda), B: i32[l, m], inout C: f64[70, m], D: f32[5, n], E: f32[5, m] layout row(lde), inout F: f32[n, m] layout col(ldf)) {
	matmul C[i, j] = max[k](min(f64(A[i, k]), f64(B[k, j])));
	matmul F[i, j] += sum[k](D[k, i] * E[k, j]);
}
schedule plain for cuda { large: tile 64 x 128; }
