fn f(x: f32) -> f32 {
	float k = 2 * x;
	k += 1;
	Half z = 3;
	w = 2;
	return f32(k) + double(x);
}
kernel g(x: f32[n], out y: f32[n]) {
	float s = sqrt(2);
	map t[i] = 2 * x[i];
	reduce total = sum[i](x[i]);
	double d = 2, e = 3;
	map y[i] = float(i) * x[i];
}
