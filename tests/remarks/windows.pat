// patc -target=cuda
kernel held(a: f32[n, m], out b: f32[n, m], out p: i64[n, m], out q: i64[n, m]) {
	let t: f32[n, m];
	map t[i, j] = a[i, j] * 2 + 1;
	stencil b[i, j], p[i, j], q[i, j] = argmin[k in -9..10, l in -9..10](t[i + k, j + l]) boundary clamp;
}
kernel fetched(a: f32[n, m], r: i64, out b: f32[n, m]) {
	require r >= 0;
	stencil b[i, j] = sum[k in -r..r+1, l in -r..r+1](a[i + k, j + l]) boundary mirror;
}
schedule fetched for cuda { no separate; }
kernel run(a: f32[n, m], r: i64, w: f32[99], out b: f32[n, m], out c: i64[n, m], out d: f32[n, m]) {
	require r >= 0;
	stencil b[i, j] = max[p in -20..21](a[i + p, j]) - min[p in -20..21](a[i + p, j]) boundary clamp;
	stencil b[i, j] = sum[q in -r..r+1](a[i, j + q]) boundary mirror;
	stencil b[i, j] = sum[q in 0..99](w[q] * a[i, j + q]) boundary mirror;
	stencil b[i, j] = sum[q in 0..99 where q % 3 != 0](a[i, j + q]) boundary mirror;
	stencil b[i, j] = sum[q in 0..min(r, 50)](a[i, j + q]) boundary mirror;
	stencil b[i, j] = sum[q in 0..99](a[i, j + q]) boundary mirror strict;
	stencil b[i, j] = sum[q in 0..99](a[i, j + q]) boundary keep;
	stencil b[i, j] = sum[q in 0..99](a[i, j + q]) boundary mirror where i % 64 == 0;
	stencil c[i, j] = count[q in 0..99](a[i, j + q] > 0) boundary mirror;
	stencil b[i, j] = sum[q in 0..9999](a[i, j + q]) boundary mirror;
	stencil b[i, j] = a[i, j] > 0 && j < m - 99 ? sum[q in 0..99](a[i, j + q]) : 0;
	stencil d[i, j] = sum[q in 0..99](a[i, j + q]) boundary mirror for i in 0..min(r, n);
}
kernel runs(a: f32[n, m], k: i64[n], h0: f32[m], g: f32[l], out h: f32[m], out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	let s: i64;
	reduce s = sum[i](k[i]);
	stencil b[i, j] = sum[p in 0..99](a[i + p, j]) + g[j] boundary clamp;
	short: stencil c[i, j] = sum[q in 0..3](a[i, j + q]) boundary clamp;
	stencil d[i, j] = sum[p in 0..s](a[i + p, j]) boundary clamp;
	kept: stencil d[i, j] = sum[p in 0..99](a[i + p, j]) boundary clamp;
	stencil d[i, j] = sum[p in 0..99](a[i + p, j]) boundary clamp for i in 0..min(s, n);
	stencil h[j] = sum[q in 0..99](h0[j + q]) boundary (f32(k[0]));
}
kernel folded(a: f32[n, m], r: i64, out b: f32[n, m], out t: f32) {
	stencil b[i, j] = sum[q in 0..r](a[i, j + q]) + max[p in 0..9](a[i, j + p]) - min[p in 0..r](a[i + p, j]) boundary mirror;
	reduce t = max[i, j](b[i, j]);
}
schedule runs for cuda { short: stage runs; kept: stage l1; }
schedule runs for cpu { short: stage runs; }
