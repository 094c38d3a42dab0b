kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] for i in 0..n+1;
}
