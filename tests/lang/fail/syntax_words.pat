kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] boundary (1;
	map y[i] = x[i] 3;
	map y[i] = x[i], stable;
	map y[i] = x[i] from (v) (w);
}
