// Cells that are no bodies, near bodies: grids of one to three axes, other bodies, fields; outside, NaN, on faces, few of either.
struct Atom { x: f32, y: f32, z: f32, q: f32 }
fn spread(k: i32, by: i32) -> f32 = f32((k & 1023) % by) * 0.5;
kernel potential(k: i32[n], rc: i32, by: i32, h: f32, out v: f32[a, d, c], out near: i64[a, d, c]) {
	require rc > 0, rc < 4, by > 0, by < 64, h >= 0.0, h < 9.0, n < 700, a * d * c < 2000;
	let p: Atom[n];
	map p[i] = Atom(spread(k[i], by), spread(k[i] >> 3, by) - 3, spread(k[i] >> 6, by) - 20, spread(k[i], 7));
	mapped: pairs v[i, j, l] = sum[b](p[b].q / (1 + abs(p[b].x - h * f32(i)))) within f32(rc) of (x, y, z)
		from (h * f32(i), h * f32(j) - 3, f32(l) - 20);
	pairs near[i, j, l] = count[b](p[b].q < 3) within (f32(rc) * 0.75) of (x, y) from (h * f32(l), 0.5 * f32(j) - 2);
}
// The coordinates as they come: most bodies are alone, some are infinite or no numbers, and so are places.
kernel points(x: f32[n], y: f32[n], w: i64[n], gx: f32[m], gy: f64[m], r: f32, out c: i64[m], out s: i64[m], out d: i64[m]) {
	require r > 0.0, r < 100.0, n < 700, m < 700;
	pairs c[i] = count[j](true), s[i] = sum[j where i != j](w[j] + i) within r of (x, y) from (gx[i], gx[i] + 1);
	pairs d[i] = max[j](w[j]) within r of (y) from (gy[i]);
}
// Other bodies, and some of the same ones; equal coordinates are on faces of cells.
kernel others(k: i32[n], t: i32[m], r: i32, out best: i32[m], out at: i64[m], out c: i64[m], out f: f32[m]) {
	require r > 0, r < 20, n < 700, m < 700;
	let p: Atom[n];
	let g: Atom[m];
	map p[i] = Atom(f32(k[i] & 31), f32(k[i] >> 5 & 7), 0, f32(k[i] >> 8 & 15));
	map g[i] = Atom(f32(t[i] & 63) - 16, f32(t[i] >> 6 & 7), 0, f32(t[i] >> 9 & 15));
	one: pairs best[i], at[i] = argmin[j where i != j](i32(p[j].q - g[i].q)) within r of (x, y) from (g[i].x, g[i].y);
	many: pairs c[i] = count[j](g[i].q <= p[j].q) within f32(r) of (x, y) from (g[i].x, g[i].y) for i in 1..m where t[i] % 3 != 0;
	own: pairs f[i] = g[i].q + max[j](g[j].q - g[i].z) within f32(r) of x from (g[m - 1 - i].x);
}
// Tiles of a grid, of one to three of four indices, in ranges of their own.
kernel tiles(x: f32[n], y: f32[n], z: f32[n], h: f32, lo: i32, inout c: i64[a, d, b, e], inout f: i64[a, b]) {
	require h >= 0.0, h < 3.0, n < 700, a * b * d * e < 3000, lo >= 0, lo <= b;
	let p: Atom[n];
	map p[i] = Atom(abs(x[i]) * 0.01, abs(y[i]) * 0.01, z[i], x[i]);
	pairs c[i, j, k, l] = count[t](p[t].q > h) within 3 of (x, y, z) from (h * f32(i), f32(l) - h * f32(k), h) for i in 0..a, j in 0..d,
		k in lo..b, l in 0..e - 1;
	pairs f[i, k] = sum[t](t + i) within (h + 0.5) of (x, y) from (f32(i), f32(k)) for i in 0..a, k in lo..b - lo where (i + k) % 3 != 1;
}
kernel counts(p: Atom[n], g: Atom[m], out c: i64[m], out s: f32[m]) {
	require n < 700, m < 700;
	pairs c[i] = count[j](true) within 2 of (x, y) from (g[i].x, g[i].y);
	pairs c[i] = c[i] + count[j](true) within 2 of (x) from (g[i].z) for i in m / 3..m / 2;
	pairs s[i] = max[j](g[i].q * 0.5 - p[j].q) within 3 of (z) from (g[i].z - 1);
}
schedule others for cuda { one: bin 4 cap 1; many: bin 16 cap 3; own: no bin; }
schedule others for hip { one: bin 4 cap 1; many: bin 16 cap 3; own: no bin; }
schedule others for cpu { one: no bin; many: bin 1; }
schedule potential for cuda { mapped: bin 2 cap 2; }
// In a box; places outside of it; integers.
kernel boxed(k: i32[n], m: i32[n], l: i32, wide: i32, out c: i64[a, b], out s: i32[a, b], out one: i64[a]) {
	require l > 0, l < 40, wide > 0, wide <= l, n < 700, a < 80, b < 80;
	let x: f64[n];
	let y: f32[n];
	map x[i] = f64((k[i] & 1023) % wide), y[i] = f32((k[i] >> 4 & 1023) % wide) + 0.25;
	pairs c[i, j] = count[t](m[t] < 9) within 1.5 of (x, y) from (i, 0.5 * f32(j)) wrap (f64(l) + 2, f64(l + 3) + 0.5)
		where i < l && j < 2 * l;
	pairs s[i, j] = sum[t](m[t] % 10 + i32(j)) drop within (0.5 * f64(l)) of (x, y) from (i - 2, j) wrap (l, l + 1);
	pairs one[i] = max[t](m[t] + t) within 1.25 of (x) from (f64(i) * 0.25) wrap (2.5 + f64(l));
}
// What cannot be binned: an order, terms left out, the target read; few cells of a wide range.
kernel whole(x: u8[n], t: i32[m], lo: i32, inout c: i64[m], out o: f32[m], inout e: i32[m], out part: i64[m]) {
	require n < 700, m < 700, lo >= 0;
	pairs o[i] = sum[j](f32(x[j] % 3)) strict within 20 of x from (t[i]);
	pairs part[i] = sum[j in 1..n](j) within 20 of x from (t[i] % 256);
	pairs c[i] = c[i] + sum[j](x[j] + c[i] % 3) within 20 of x from (7 * i) for i in lo..m;
	repeat k < 2 {
		let b: f32[n];
		map b[i] = f32(x[i] % 50) + k;
		pairs e[i] = e[i] / 2 + sum[j](i32(b[j])) / 8 within 2.5 of b from (f32(t[i] % 64) + f32(k));
	}
}
// Places that data find; a mask that keeps them inside.
kernel found(x: f32[n], g: f32[n], k: i64[m], out c: i64[m], out d: i64[m]) {
	require n < 700, m < 700;
	pairs c[i] = count[j](true) within 2 of x from (g[k[i]]) where k[i] >= 0 && k[i] < n;
	pairs d[i] = count[j](x[j] < 3) drop within 2 of x from (g[k[i]]);
}
// A few bodies far out.
kernel far(k: i32[n], t: i32[m], out c: i64[m]) {
	require n < 700, m < 700;
	let x: f32[n];
	let y: f32[n];
	map x[i] = (i % 7 == 3 ? 1.0e9 : f32(k[i] & 7) / 8), y[i] = (i % 5 == 2 ? -1.0e30 : f32(k[i] >> 3 & 3));
	pairs c[i] = count[j](true) within 0.75 of (x, y)
		from ((t[i] & 8 == 8 ? 1.0e9 : f32(t[i] & 7) / 8), (t[i] & 48 == 48 ? -1.0e30 : f32(t[i] >> 6 & 3) - 0.5));
}
const none: i64 = -9223372036854775807 - 1;
test near {
	points(x = [0, 1, nan, inf], y = [0, 0, 0, 0], w = [1, 2, 4, 8], gx = [0, 1, inf, nan, -1], gy = [0, 1, nan, 2, -2], r = 2)
		-> c = [2, 0, 0, 0, 1], s = [2, 0, 0, 0, 5];
	boxed(k = [0], m = [3], l = 2, wide = 1, a = 1, b = 1) -> c = [[1]], s = [[0]], one = [3];
	boxed(k = [0], m = [3], l = 2, wide = 1, a = 6, b = 1) -> one = [3, 3, 3, 3, 3, -9223372036854775808];
	boxed(k = [0], m = [3], l = 2, wide = 1, a = 19, b = 1) -> one = [3, 3, 3, 3, 3, none, none, none, none, none, none, none, none, none, 3, 3, 3, 3, none] status box;
}
