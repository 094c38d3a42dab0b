const T: f64 = pow(2.0, 0.5);
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = f32(T) * x[i];
}
