kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i](2)(3);
	map y[i] = x.a[1](2);
	map y[i] = (x)[i];
	map y[i] = 3[i];
}
