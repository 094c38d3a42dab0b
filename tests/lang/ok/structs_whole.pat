// Structs of all kinds of sizes that come to the chip whole and go, beside those that do not.
struct P3 { x, y, z: f32 }
struct Odd { a: f32, b: f64, c: u8, d: i16 }
struct Rgb { r, g, b: u8 }
struct Deep { v: P3, w: f32[3], k: i8 }
struct Wide { f: f64[5], s: f16 }
kernel apart(p: P3[n], d: Wide[n], out q: P3[n] layout soa, out e: Wide[n] layout aosoa(4)) {
	map q[i] = p[i];
	map e[i] = d[i];
}
kernel together(p: Rgb[n, m] layout soa, q: Wide[n] layout soa, out r: Rgb[n, m], out s: Wide[n]) {
	map r[i, j] = p[i, j];
	map s[i] = q[i];
}
kernel kept(p: Odd[n], inout q: Odd[n], inout d: Deep[n], out r: Odd[n]) {
	map q[i] = Odd(p[i].a + q[i].a, p[i].b, p[i].c, p[i].d) where p[i].d > 0;
	map d[i].v = P3(f32(i), d[i].w[1], 2), d[i].w[0] = p[i].a, d[i].w[1] = d[i].v.y, d[i].k += 1;
	map r[i].b = p[i].b, r[i].a = p[i].a, r[i].c = 7, r[i].d = q[i].d;
}
kernel from_elsewhere(p: P3[m], at: i32[n], inout q: P3[n], out r: P3[n], out s: P3[n]) {
	gather q[i] = p[at[i]];
	gather r[i] = p[at[i]] drop;
	gather s[i] = q[n - 1 - i];
}
kernel columns(x: P3[n, m] layout col, out y: P3[n, m], a: f32[n, m] layout col(ld), inout b: f32[n, m], out c: u8[n, m] layout col) {
	map y[i, j] = x[i, j];
	map b[i, j] += 2 * a[i, j];
	map c[i, j] = u8(b[i, j]) where i < j;
}
