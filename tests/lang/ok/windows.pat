const W: f32[5] = [1, 4, 6, 4, 1];
const G: f32[3, 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
kernel windows(a: f32[n], b: f32[n, m], out y: f32[n], out z: f32[n, m]) {
	stencil y[i] = sum[k in 0..5](W[k] * a[i + k - 2]) / 16 boundary clamp;
	stencil z[i, j] = sum[k in 0..3, l in 0..3](G[k, l] * b[i + k - 1, j + l - 1]) / 16
	        for i in 1..n-1, j in 1..m-1;
	stencil z[i, j] = max[k in -1..2](b[i + k, j]) for i in 1..n-1;
}

kernel more(a: f32[n, m], out z: f32[n, m], out c: i64[n, m], out b: bool[n, m]) {
	stencil z[i, j] = max[k in -1..2, l in -1..2 where k != 0 || l != 0](a[i + k, j + l]) boundary (wrap, 0);
	stencil c[i, j] = count[k in -1..2](a[i, j + k] > 0) boundary reflect;
	stencil b[i, j] = all[k in 0..1](a[i + k + 1, j] > 0) && any[k in 0..0](a[i + k, j] > 0) boundary mirror;
}
