struct P { a, b: f32 }
kernel f(x: f32[n], out y: P[n]) {
	map y[i] = P(x[i]);
}
