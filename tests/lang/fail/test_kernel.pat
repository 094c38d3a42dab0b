kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
test t {
	g(x = [1]);
}
