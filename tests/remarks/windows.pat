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
