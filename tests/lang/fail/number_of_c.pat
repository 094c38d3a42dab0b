kernel f(x: f32[n], out y: f32[n], out z: u64[n]) {
	map y[i] = 0.5f * x[i] + .25 * x[i] - 1.F + 2e3f;
	map z[i] = 3u + 4ull + 5ULL;
	map z[i] = 6uz;
}
