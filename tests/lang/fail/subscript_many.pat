kernel f(a: f32[n, m+1], b: f32[n], out y: f32[n]) {
	reduce y[i] = sum[j](a[i, j, 0]);
	map y[i] = b[i, i+1];
}
