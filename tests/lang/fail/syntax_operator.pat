kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = f(a b);
	map y[i] = x[i j];
	map y[i] = (a b);
	map y[i] = c ? d;
	map y[i] = [1, 2;
}
