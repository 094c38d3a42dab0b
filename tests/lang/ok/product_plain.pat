// plain.pat - products by tiles that are pinned to be plain, and cell by cell.
fn gelu(x: f32) -> f32 = 0.5 * x * (1 + erf(0.70710678 * x));
kernel textbook(A: f32[n, l], B: f32[m, l], inout C: f32[n, m], s: i8[b, n, 7], t: i64[7, m], out p: i64[b, n, m]) {
	matmul C[i, j] = 2 * sum[k](A[i, k] * B[j, k]) - C[i, j] where i != j;
	matmul p[q, i, j] = max[k](i64(s[q, i, k]) + t[k, j]) for q in 0..b, i in 1..n, j in 0..m;
}
kernel strips(A: f32[l, n], B: f32[l, m], bias: f32[m], out C: f32[n, m], D: f64[n, 9], E: f64[9, m] layout row(ld), out F: f64[m, n]) {
	let u: f32[n, m];
	matmul u[i, j] = sum[k](A[k, i] * B[k, j]) strict;
	map C[i, j] = gelu(u[i, j] + bias[j]);
	matmul F[j, i] = sum[k](D[i, k] * E[k, j]);
}
kernel cells(A: f32[l, n], B: f32[l, m], inout C: f32[n, m]) {
	matmul C[i, j] += sum[k](A[k, i] * B[k, j]);
}
schedule textbook for cuda { tile 16 x 16; }
schedule strips for cuda { tile 128 x 16; }
schedule cells for cuda { stage l1; }
schedule textbook for hip { tile 16 x 16; }
schedule strips for hip { tile 128 x 16; }
schedule cells for hip { stage l1; }
