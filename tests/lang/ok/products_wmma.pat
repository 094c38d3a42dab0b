// products_wmma.pat - products that matrix units of 32 lanes compute, compiled for machines that have them and for one that has none.
kernel wmma_halves(a: f16[q, n, l], b: f16[l, m], s: f32[m], out c: f16[q, n, m]) {
	matmul c[r, i, j] = f16(max(sum[k](a[r, i, k] * b[k, j]) + s[j], 0));
}
kernel wmma_turned(a: bf16[l, n], b: bf16[m, l], out c: f32[n, m]) {
	matmul c[i, j] = sum[k](a[k, i] * b[j, k]);
}
kernel wmma_bytes(a: u8[l, n], b: i8[m, l] layout row(ld), out c: i32[n, m]) {
	matmul c[i, j] = sum[k](i32(a[k, i]) * i32(b[j, k])) for i in 1..n where i != j;
}
