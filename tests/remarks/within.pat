struct Line { a: u32, b: u32 }
op then(p: Line, q: Line) -> Line = Line(p.a * q.a, p.b * q.a + q.b) identity Line(1, 0), associative;
kernel within(x: f32[n], y: f32[n], z: f32[n], m: u32[n], out c: i64[n], out d: i64[n], out e: i64[n], out f: Line[n],
              out g: f32[n], out h: u32[n], out k: i64[n], out first: i32[n+1], out list: i32[most]) {
	pairs c[i] = count[j](true) within 2 of (x, y, z);
	pairs d[i] = count[j](true) within 2 of (x, y) wrap (8, 8);
	every: pairs e[i] = count[j](true) within 2 of (x, y, z);
	pairs f[i] = then[j](Line(m[i], m[j])) within 2 of x;
	pairs g[i] = sum[j](x[j]) strict within 2 of x;
	pairs h[i] = sum[j in 1..n](m[j]) within 2 of x;
	pairs e[i] = count[j](m[j] < 1) + count[j](m[j] < 2) + count[j](m[j] < 3) + count[j](m[j] < 4) + count[j](m[j] < 5)
		+ count[j](m[j] < 6) + count[j](m[j] < 7) + count[j](m[j] < 8) + count[j](m[j] < 9) within 2 of x;
	pairs d[i] = count[j](true), e[i] = sum[j](d[i] * j) within 2 of x;
	coarse: pairs k[i] = count[j](true) within 2 of (x, y, z);
	lists: compact list = i32(j) where i != j for i in 0..n, j in 0..n within 2 of (x, y, z) rows first;
	some: compact list = i32(j) for i in 0..n, j in 1..n within 2 of x;
}
schedule within for cuda { every: no bin; coarse: bin 1; }
kernel placed(x: f32[n], y: f32[n], q: f32[n], k: i64[m], g: f32[n], out v: f32[a, b], out w: f32[m]) {
	grid: pairs v[i, j] = sum[t](q[t]) within 2 of (x, y) from (0.5 * f32(i), 0.5 * f32(j)) wrap (8, 8);
	found: pairs w[i] = sum[t](q[t]) within 2 of x from (g[k[i]]);
}
