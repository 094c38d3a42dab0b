// unit.pat - products by the matrix units of warps and, on sm_90a, of a group of warps.
kernel unit(a: bf16[70, l], b: bf16[l, 72], out c: f32[70, 72]) {
	small: matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}
kernel group(a: bf16[130, 200], b: bf16[264, 200], out c: f32[130, 264]) {
	large: matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}
schedule unit for cuda { small: tile 64 x 64; }
schedule group for cuda sm_90a { large: tile 128 x 256; }
