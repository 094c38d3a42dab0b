// patc --target=hip --arch=gfx1100
// Products on machines with waves of 32 lanes: by their matrix units, or not.
kernel waves(a: bf16[n, l], b: bf16[m, l], c: u8[n, l], d: i8[m, l], p: f32[n, l], q: f32[m, l], out e: f32[n, m], out f: i32[n, m], out g: f32[n, m], out h: f32[n, m]) {
	halves: matmul e[i, j] = sum[k](a[i, k] * b[j, k]);
	bytes: matmul f[i, j] = sum[k](i32(c[i, k]) * i32(d[j, k]));
	words: matmul g[i, j] = sum[k](p[i, k] * q[j, k]);
	ordered: matmul h[i, j] = sum[k](a[i, k] * b[j, k]) strict;
}
