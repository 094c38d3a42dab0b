kernel f(out y: u64[n]) {
	map y[i] = 18446744073709551616;
}
