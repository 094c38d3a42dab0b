struct P { a: f32[4] }
kernel f(p: P[n], out q: P[n]) {
	map q[i].a = p[i].a;
}
