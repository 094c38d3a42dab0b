// bytes.pat - a product of floats of 8 bits, by the unit of groups of warps on sm_90a: more terms than it adds at once.
kernel bytes(a: f8e4m3[70, 160], b: f8e4m3[72, 160], out c: f32[70, 72]) {
	large: matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}
schedule bytes for cuda sm_90a { large: tile 128 x 128; }
