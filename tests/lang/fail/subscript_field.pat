struct P { a: f32 }
kernel f(p: P[n], out y: f32[n]) {
	map y[i] = p[i].a[0];
}
