kernel a(x: f32[n], out y: f32[n], out s: f32) {
	map y[i] = ln(x[i]);
	map y[i] = sqr(x[i]);
	map y[i] = saturate(x[i]);
	map y[i] = M_PI;
	map y[i] = INFINITY;
	map y[i] = x[threadIdx.x];
	reduce s = mean[i](x[i]);
}
kernel b(x: f32[n], out y: f32[n], out t: bool[n]) {
	map t[i] = x[i] > 0 and x[i] < 1;
	map y[i] = (float)x[i];
	map y[i] = 2 * (int)x[i];
	stencil y[i] = x[i-1] clamp;
}
kernel c(inout x: f32[n, m], inout y: f32[n, m]) {
	__shared__ float t[256];
	atomicAdd(y[1, 1], 1);
	swap(x, y);
	if x[i, j] > 0 { map y[i, j] = x[i, j]; }
	map y[i, j] = x[i * m + j];
}
test t {
	a(x = zeros);
}
