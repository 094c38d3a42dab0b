kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] for i in 0;
	map y[i] = x[i] for i, j in 0..n;
	map y[i] = x[i] for 0..n;
	map y[i] = x[i] for i in 0..n..2;
	map y[i] = x[i] for i in 0...n;
}
