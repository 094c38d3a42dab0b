// patc -target=cuda
op later(a: i32, b: i32) -> i32 = b associative;
kernel blurred(a: f32[n, m], r: i32, out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	require r >= 0, r < 9;
	stencil b[i, j] = sum[p in -10..11, q in -10..11](a[i + p, j + q]) boundary clamp;
	stencil c[i, j] = sum[p in -r..r+1, q in -r..r+1](a[i + p, j + q]) boundary clamp;
	stencil d[i, j] = sum[p in -3..4, q in -3..4](a[i + p, j + q]) boundary clamp;
	stencil d[i, j] = sum[p in -r..r+1, q in 1..2](a[i + p, j + q]) boundary clamp;
}
kernel laws(a: i32[n, m], z: f32[n, m], w: f32[9, 9], out b: i32[n, m], out c: f32[n, m], out d: f32[n, m], out e: i64[n, m]) {
	stencil b[i, j] = later[p in 0..9, q in 0..9](a[i + p, j + q]) boundary clamp;
	stencil c[i, j] = sum[p in 0..9, q in 0..9](z[i + p, j + q]) boundary clamp strict;
	stencil c[i, j] = sum[p in 0..9, q in 0..9 where p != q](z[i + p, j + q]) boundary clamp;
	stencil c[i, j] = sum[p in 0..9, q in 0..9, k in 0..2](f32(k) * z[i + p, j + q]) boundary clamp;
	stencil c[i, j] = sum[p in 0..9, q in 0..9](w[p, q] * z[i + p, j + q]) boundary clamp;
	stencil d[i, j] = max[p in 0..9, q in 0..9](abs(z[i + p, j + q] - z[i, j])) boundary clamp;
	stencil e[i, j] = count[p in 0..9, q in 0..9](z[i + p, j + q] > 0) boundary clamp;
}
kernel cells(a: f32[n, m], t: f32[3*n, 3*m], k: i64, out b: f32[n, m], out c: f32[n, m], out d: f32[n, m], out e: f32[n, m]) {
	require k >= 0;
	stencil b[i, j] = sum[p in 0..9, q in 0..9](a[i + p, j + q]) boundary clamp for i in 0..min(k, n);
	stencil c[i, j] = sum[p in 0..9, q in 0..9](t[i + p, j + q]) boundary clamp;
	stencil d[i, j] = sum[p in 0..9, q in 0..9](a[i + p, j + q]) boundary clamp where i % 64 == 0;
	stencil e[i, j] = a[i, j] > 0 && i < n - 9 && j < m - 9 ? sum[p in 0..9, q in 0..9](a[i + p, j + q]) : 0;
}
kernel square(a: f32[n, n], inout b: f32[n, n]) {
	stencil b[i, j] = sum[p in -5..6, q in -3..4](a[i + p, j + q]) for i in 5..n-5, j in 3..7;
}
kernel edges(a: i32[n, m], x: f16[n, m], inout b: i32[n, m], out c: f16[n, m]) {
	stencil b[i, j] = sum[p in -4..5, q in -4..5](a[i + p, j + q]) boundary keep;
	stencil b[i, j] = sum[p in -4..5, q in -4..5](a[i + p, j + q]) boundary (3, 4);
	stencil b[i, j] = sum[p in -4..5, q in -4..5](a[i + p, j + q]) boundary 3;
	stencil c[i, j] = f16(x[i - 1, j - 1] + sum[p in -4..5, q in -4..5](x[i + p, j + q])) boundary 0;
}
kernel chosen(a: f32[n, m], out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	small: stencil b[i, j] = sum[p in -1..2, q in -1..2](a[i + p, j + q]) boundary clamp;
	large: stencil c[i, j] = sum[p in -10..11, q in -10..11](a[i + p, j + q]) boundary clamp;
	tiled: stencil d[i, j] = sum[p in -10..11, q in -10..11](a[i + p, j + q]) boundary clamp;
}
schedule chosen for cuda { small: separate; large: no separate; tiled: stage shared; }
