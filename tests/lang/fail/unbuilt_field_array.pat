struct P { a: f32[5, 13] }
kernel f(p: P[n], out q: P[n]) {
	map q[i].a = p[i].a;
}
