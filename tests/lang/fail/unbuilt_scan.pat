kernel f(x: f32[n], out y: f32[n]) {
	scan y[i] = sum(x[i]) exclusive;
}
