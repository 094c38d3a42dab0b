// precise.pat - products of f32 whose cells are rounded, or split into two parts, by the units of warps and, on sm_90a, of a group.
kernel split(a: f32[70, 12], b: f32[12, 72], out c: f32[70, 72]) {
	few: matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32x3;
}
kernel turned(a: f32[260, 40], b: f32[40, 132], out c: f32[260, 132]) {
	rows: matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32;
}
kernel parts(a: f32[260, 12], b: f32[12, 128], out c: f32[260, 128], d: f32[256, 72], e: f32[72, 128], out f: f32[256, 128]) {
	one: matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32x3;
	two: matmul f[i, j] = sum[k](d[i, k] * e[k, j]) precision tf32x3;
}
schedule split for cuda { few: tile 64 x 64; }
schedule turned for cuda sm_90a { rows: tile 256 x 128; }
schedule parts for cuda sm_90a { one: tile 256 x 128; two: tile 256 x 128; }
