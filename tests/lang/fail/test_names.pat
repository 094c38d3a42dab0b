kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
test t {
	f(z = [1]);
	f(x = [1], x = [2]);
	f(x = [1]) -> x = [1];
	f(x = [1]) -> n = 1;
	f(x = [1]) -> y = [1], y = [1];
}
