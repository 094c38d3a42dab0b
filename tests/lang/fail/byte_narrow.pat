op add(a: f8e5m2, b: f8e5m2) -> f8e5m2 = a + b identity 0, commutative;
kernel f(x: f32[n], a: f8e4m3[n], b: f8e5m2[n], h: f16[n], out y: f8e4m3[n], out z: f8e5m2[n], out w: f32[n]) {
	map y[i] = x[i];
	map y[i] = b[i];
	map z[i] = h[i];
	map w[i] = a[i] * b[i];
	map w[i] = a[i] << 1;
}
kernel g(x: float8_e4m3fn[n]) {
}
