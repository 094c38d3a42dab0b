kernel f(x: f32[n,n,n,n,n,n,n,n,n], out y: f32[n]) {
	map y[i] = 1;
}
