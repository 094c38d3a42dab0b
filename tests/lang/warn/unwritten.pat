kernel never(x: f32[n], out y: f32[n], out z: f32[n], out s: f32) {
	map y[i] = x[i];
}
kernel kept(x: f32[n], out y: f32[n], out rest: f32[n], out k: i64) {
	compact y, k = x[i] where x[i] > 0 else rest;
}
kernel some(x: f32[n, m], out y: f32[n, m], out z: f32[n, m]) {
	map y[i, j] = x[i, j] for i in 0..n, j in 0..i+1 where j < m;
	map z[i, j] = x[i, j] for i in 1..n, j in 0..m;
	map z[i, j] = 0 for i in 0..1, j in 1..m where n > 0;
}
kernel inner(x: f32[n, m], out y: f32[n, m], out z: f32[n+1], out w: f32[n, m], out v: f32[2*n]) {
	stencil y[i, j] = x[i, j-1] + x[i, j+1] for i in 0..n, j in 1..m-1;
	map z[i] = 1 for i in 0..n;
	stencil w[i, j] = x[i-1, j] + x[i+1, j] boundary keep;
	map v[2*i] = 1 for i in 0..n;
	map v[2*i+1] = 2 for i in 0..n;
}
kernel edges(x: f32[n, m], out y: f32[n, m]) {
	map y[i, j] = x[i, j] for i in 1..n, j in 0..m;
	map y[0, j] = 0 for j in 0..min(m, n * m);
}
