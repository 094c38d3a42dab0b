kernel f(k: i32[n], out y: f32[n]) {
	map y[k[i]] = 1;
}
