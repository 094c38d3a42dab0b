fn h(k: i32) -> i32 = k;
kernel f(out y: i32[n]) {
	map y[i] = h(i);
}
