struct P { a: f32 }
kernel f(p: P[n], out y: P[n]) {
	map y[i] = p[i] + p[i];
}
