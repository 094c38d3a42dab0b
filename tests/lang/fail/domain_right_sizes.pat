kernel f(a: f32[n], b: f32[n+1], out y: f32[n]) {
	map y[i+0*n] = a[i] + b[i];
}
