struct S { x, y: f32 }
kernel apart(d: S[m, n] layout soa, out a: S[m, n] layout soa) {
	solve a[s, i] in S(4 * a[s, i].x + a[s, i-1].y, 4 * a[s, i].y) = d[s, i] boundary S(0, 0);
}
kernel blocks(d: S[m, n], out a: S[m, n] layout aosoa(4)) {
	solve a[s, i] in S(4 * a[s, i].x + a[s, i-1].y, 4 * a[s, i].y) = d[s, i] boundary clamp;
}
