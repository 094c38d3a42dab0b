// layout.pat - structs that change their layout: what bench measures of layouts.
struct W2 { a, b: f32 }
struct W3 { a, b, c: f32 }
struct W4 { a, b, c, d: f32 }
struct W5 { a, b, c, d, e: f32 }
struct W6 { a, b, c, d, e, f: f32 }
struct W7 { a, b, c, d, e, f, g: f32 }
struct W8 { a, b, c, d, e, f, g, h: f32 }
struct W9 { a, b, c, d, e, f, g, h, i: f32 }
struct W12 { a, b, c, d, e, f, g, h, i, j, k, l: f32 }
struct W16 { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p: f32 }
struct Pixel { r, g, b: u8 }
struct Particle { x, y, z, vx, vy, vz, m, q: f32 }
kernel apart_2(p: W2[n], out q: W2[n] layout soa) { map q[i] = p[i]; }
kernel together_2(p: W2[n] layout soa, out q: W2[n]) { map q[i] = p[i]; }
kernel apart_3(p: W3[n], out q: W3[n] layout soa) { map q[i] = p[i]; }
kernel together_3(p: W3[n] layout soa, out q: W3[n]) { map q[i] = p[i]; }
kernel apart_4(p: W4[n], out q: W4[n] layout soa) { map q[i] = p[i]; }
kernel together_4(p: W4[n] layout soa, out q: W4[n]) { map q[i] = p[i]; }
kernel apart_5(p: W5[n], out q: W5[n] layout soa) { map q[i] = p[i]; }
kernel together_5(p: W5[n] layout soa, out q: W5[n]) { map q[i] = p[i]; }
kernel apart_6(p: W6[n], out q: W6[n] layout soa) { map q[i] = p[i]; }
kernel together_6(p: W6[n] layout soa, out q: W6[n]) { map q[i] = p[i]; }
kernel apart_7(p: W7[n], out q: W7[n] layout soa) { map q[i] = p[i]; }
kernel together_7(p: W7[n] layout soa, out q: W7[n]) { map q[i] = p[i]; }
kernel apart_8(p: W8[n], out q: W8[n] layout soa) { map q[i] = p[i]; }
kernel together_8(p: W8[n] layout soa, out q: W8[n]) { map q[i] = p[i]; }
kernel apart_9(p: W9[n], out q: W9[n] layout soa) { map q[i] = p[i]; }
kernel together_9(p: W9[n] layout soa, out q: W9[n]) { map q[i] = p[i]; }
kernel apart_12(p: W12[n], out q: W12[n] layout soa) { map q[i] = p[i]; }
kernel together_12(p: W12[n] layout soa, out q: W12[n]) { map q[i] = p[i]; }
kernel apart_16(p: W16[n], out q: W16[n] layout soa) { map q[i] = p[i]; }
kernel together_16(p: W16[n] layout soa, out q: W16[n]) { map q[i] = p[i]; }
kernel unblock_3(p: W3[n] layout aosoa(32), out q: W3[n] layout soa) { map q[i] = p[i]; }
kernel unblock_8(p: W8[n] layout aosoa(32), out q: W8[n] layout soa) { map q[i] = p[i]; }
kernel block_3(p: W3[n], out q: W3[n] layout aosoa(32)) { map q[i] = p[i]; }
kernel planes(p: Pixel[n], out q: Pixel[n] layout soa) { map q[i] = p[i]; }
kernel pixels(p: Pixel[n] layout soa, out q: Pixel[n]) { map q[i] = p[i]; }
kernel scaled_3(p: W3[n], out q: W3[n], s: f32)
{
	map q[i] = W3(s * p[i].a, s * p[i].b, s * p[i].c);
}
kernel scaled_9(p: W9[n], out q: W9[n], s: f32)
{
	map q[i] = W9(s * p[i].a, s * p[i].b, s * p[i].c, s * p[i].d, s * p[i].e, s * p[i].f,
		s * p[i].g, s * p[i].h, s * p[i].i);
}
kernel field_4(p: W4[n], out x: f32[n]) { map x[i] = p[i].a; }
kernel field_16(p: W16[n], out x: f32[n]) { map x[i] = p[i].a; }
kernel length_3(p: W3[n], out x: f32[n])
{
	map x[i] = p[i].a * p[i].a + p[i].b * p[i].b + p[i].c * p[i].c;
}
kernel drift(inout p: Particle[n], dt: f32) {
	map p[i].x = p[i].x + dt * p[i].vx, p[i].y = p[i].y + dt * p[i].vy,
		p[i].z = p[i].z + dt * p[i].vz;
}
kernel push(inout p: W3[n], dt: f32) { map p[i].a = p[i].a + dt; }
kernel rows_of_columns(x: f32[n, m] layout col, out y: f32[n, m]) { map y[i, j] = x[i, j]; }
kernel into_tiles_8_f32(x: f32[n, m], out t: f32[n, m] layout tiled(8, 8))
{
	map t[i, j] = x[i, j];
}
kernel from_tiles_8_f32(t: f32[n, m] layout tiled(8, 8), out x: f32[n, m])
{
	map x[i, j] = t[i, j];
}
kernel into_tiles_32_f32(x: f32[n, m], out t: f32[n, m] layout tiled(32, 32))
{
	map t[i, j] = x[i, j];
}
kernel from_tiles_32_f32(t: f32[n, m] layout tiled(32, 32), out x: f32[n, m])
{
	map x[i, j] = t[i, j];
}
kernel into_tiles_8_u8(x: u8[n, m], out t: u8[n, m] layout tiled(8, 8)) { map t[i, j] = x[i, j]; }
kernel from_tiles_8_u8(t: u8[n, m] layout tiled(8, 8), out x: u8[n, m]) { map x[i, j] = t[i, j]; }
kernel into_tiles_32_u8(x: u8[n, m], out t: u8[n, m] layout tiled(32, 32))
{
	map t[i, j] = x[i, j];
}
kernel from_tiles_32_u8(t: u8[n, m] layout tiled(32, 32), out x: u8[n, m])
{
	map x[i, j] = t[i, j];
}
