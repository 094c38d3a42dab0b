kernel f(a: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[k in 0..m+1](a[i, k]);
}
