kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] + y[i];
}
kernel g(x: f32[n, m], inout y: f32[n, m], out z: f32[n, m]) {
	map y[i, j] = x[i, j] + y[i-1, j];
	stencil z[i, j] = x[i-1, j] + z[i-1, j] boundary clamp;
}
