kernel f(x: f32[n+m], out y: f32[2*n-m]) {
	map y[i] = 1;
}
kernel g(x: f32[k+1], z: f32[k+n+m], out y: f32[2]) {
	map y[i] = 1;
}
