kernel f(x: f16[n], out y: f16[n]) {
	map y[i] = x[i] - 70000;
}
kernel g(out y: f16[n], out z: bf16[n], out w: f32[n]) {
	map y[i] = 65520.0, z[i] = 3.4e38, w[i] = 1.0e39;
}
