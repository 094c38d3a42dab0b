kernel f(x: i32[n], out y: bool[n]) {
	map y[i] = !x[i];
}
