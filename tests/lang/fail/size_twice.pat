kernel f(x: f32[2*n], out y: f32[n*2]) {
	map y[i] = x[0];
}
