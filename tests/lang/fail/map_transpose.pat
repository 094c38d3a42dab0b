kernel f(a: f32[n, n], out b: f32[n, n]) {
	map b[i, j] = a[j, i];
}
