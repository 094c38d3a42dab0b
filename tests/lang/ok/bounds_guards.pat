// each read is inside because of what guards it
const W: f32[5] = [1, 4, 6, 4, 1];
kernel f(x: f32[n], a: f32[n, n], out y: f32[n]) {
	stencil y[i] = i > 0 && x[i-1] > 0 ? x[i-1] : 0;
	stencil y[i] = x[i+1] where i != n - 1;
	stencil y[i] = i >= n - 1 ? 0 : x[i+1];
	stencil y[i] = x[i-1] + x[i+1] for i in 1..n-1;
	map y[i] = W[i % 5] * x[i];
	map y[i] = W[min(i, 4)] * x[i];
	reduce y[i] = sum[k in 0..i](a[i, k]);
}
