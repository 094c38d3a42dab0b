kernel fused(q: i32[m], d: i32[n], out h: i32[m, n], out a: f32[m, n], p: f32[m, n]) {
	let s: i32[m, n];
	let twice: f32[m, n];
	let edge: i32[n];
	score: map s[i, j] = q[i] == d[j] ? 3 : -1;
	top: map edge[j] = -2 * i32(j);
	wavefront h[i, j] = max(h[i-1, j-1] + s[i, j], h[i, j-1] - 2, h[i-1, j] - 2)
		boundary (i < 0 && j >= 0 ? edge[j] : 0);
	double: map twice[i, j] = p[i, j] * 2;
	wavefront a[i, j] = twice[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
