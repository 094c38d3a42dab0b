// Pairs nearer than a radius: bodies sorted by cells, crowded and empty ones, on faces of cells, far out, NaN.
struct Body { x: f32, y: f32, z: f32, m: f32 }
struct Force { x: f32, y: f32, z: f32 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y, a.z + b.z) identity Force(0, 0, 0), associative, commutative;
fn pull(p: Body, q: Body) -> Force {
	let s = q.m / (1 + abs(q.x - p.x) + abs(q.y - p.y) + abs(q.z - p.z));
	return Force(s * (q.x - p.x), s * (q.y - p.y), s * (q.z - p.z));
}
fn spread(k: i32, by: i32) -> f32 = f32((k & 1023) % by) * 0.5;
kernel forces(k: i32[n], rc: i32, by: i32, out f: Force[n], out c: i64[n]) {
	require rc > 0, rc < 4, by > 0, by < 64;
	let p: Body[n];
	map p[i] = Body(spread(k[i], by), spread(k[i] >> 3, by) - 3, spread(k[i] >> 6, by) - 20, spread(k[i], 7));
	pulled: pairs f[i] = plus[j where i != j](pull(p[i], p[j])) within f32(rc) of (x, y, z);
	pairs c[i] = count[j](p[i].m <= p[j].m) within (f32(rc) * 0.75) of (x, y, z);
}
// The coordinates as they come: most bodies are alone, some are infinite or no numbers.
kernel alone(x: f32[n], y: f32[n], w: f64[n], r: f32, out c: i64[n], out s: f64[n], out top: f64[n]) {
	require r > 0.0, r < 100.0, n < 700;
	pairs c[i] = count[j](true), top[i] = max[j](w[j]) within r of (x, y);
	pairs s[i] = sum[j](w[j] - w[i]) within r of x;
}
kernel boxed(k: i32[n], m: i32[n], l: i32, wide: i32, out c: i64[n], out best: i32[n], out at: i64[n], out near: i64[n]) {
	require l > 0, l < 40, wide > 0, wide <= l, n < 700;
	let x: f64[n];
	let y: f32[n];
	map x[i] = f64((k[i] & 1023) % wide), y[i] = f32((k[i] >> 4 & 1023) % wide) + 0.25;
	pairs c[i] = count[j](m[i] < m[j]) within 1.5 of (x, y) wrap (f64(l) + 2, f64(l + 3) + 0.5);
	found: pairs best[i], at[i] = argmin[j where i != j](m[j] % 10) within (0.5 * f64(l)) of (x, y) wrap (l, l + 1);
	pairs near[i] = max[j](j) within 1.25 of (x) wrap (2.5 + f64(l));
}
// Bodies outside the box.
kernel outside(x: f32[n], y: f32[n], l: f32, out c: i64[n], out d: i64[n]) {
	require l >= 4.0, l < 1000.0, n < 700;
	pairs c[i] = count[j](true) within 2 of (x, y) wrap (l, 8);
	pairs d[i] = count[j](true) within 2 of (x, y) wrap (l, 8) drop;
}
// Integers; cells that `for` and `where` leave out; what is read elsewhere; its own cell; a call in a loop.
kernel whole(x: i32[n], y: u8[n], t: i32[m], w: i64[n], inout c: i64[n], inout e: f32[n]) {
	require n < 700;
	pairs c[i] = c[i] + sum[j where t[w[j]] > i](w[j] + i) drop within 20 of (x, y) for i in 1..n where w[i] % 3 != 0;
	repeat k < 2 {
		let a: f32[n];
		map a[i] = f32(x[i] % 50) + k;
		pairs e[i] = e[i] / 2 + sum[j](a[j] - a[i]) / 8 within 2.5 of a;
	}
}
// In the order of the bodies; all pairs, pinned; cells as long as the radius.
struct Line { a: u32, b: u32 }
op then(p: Line, q: Line) -> Line = Line(p.a * q.a, p.b * q.a + q.b) identity Line(1, 0), associative;
kernel ordered(k: i32[n], x: u32[n], out f: Line[n], out all: u32[n], out long: u32[n]) {
	require n < 700;
	let a: i32[n];
	map a[i] = k[i] % 30;
	pairs f[i] = then[j](Line(x[i] | x[j], x[i] ^ x[j])) within 4 of a;
	every: pairs all[i] = sum[j](x[j] * x[i]) within 4 of (a, a);
	coarse: pairs long[i] = sum[j](x[j] & x[i]) within 4 of (a, a);
}
schedule ordered for cuda { every: no bin; coarse: bin 1 cap 1; }
schedule forces for cuda { pulled: bin 4 cap 1; }
schedule boxed for cuda { found: bin 8 cap 2; }
schedule forces for hip { pulled: bin 4 cap 1; }
schedule boxed for hip { found: bin 8 cap 2; }
schedule ordered for cpu { coarse: no bin; every: bin 16; }
kernel layouts(p: Body[n] layout soa, scale: f32, out u: f32[n], out c: i64[n]) {
	require scale > 0.0, scale < 50.0, n < 700;
	pairs c[i] = count[j where i != j](true) within scale of (x, y);
	pairs u[i] = sum[j](p[j].m) - p[i].m within scale of (y, z);
}
// Folds and equations that read what the statement writes; cells that a mask leaves out, with what they would read.
struct Point { x: i32, u: i64, v: i64 }
kernel written(k: i32[n], inout p: Point[n], out c: i64[n], out d: i64[n]) {
	require n < 700;
	let x: f32[n];
	map x[i] = f32(k[i] % 20);
	pairs c[i] = count[j](true), d[i] = sum[j](c[i] * j) within 2 of x;
	pairs p[i].v = sum[j](p[j].x % 4), p[i].u = p[i].v + sum[j](j) within 20 of (x);
}
kernel masked(k: i32[n], a: i32[m], x: f32[n], out c: i32[n], out d: i32[n], out e: i32[n]) {
	require n < 700;
	pairs c[i] = sum[j](k[j] * a[i - m]) within 2 of x for i in m..n where i < 2 * m;
	pairs d[i] = sum[j](k[j] * a[k[i] - 3]) within 2 of x where k[i] >= 3 && k[i] < m;
	pairs e[i] = sum[j where k[i] >= 0 && k[i] < m](a[k[i]] - k[j]) within 9 of x trusted where m > 0;
}
// A few bodies far out; boxes of more cells than there are slots.
kernel far(k: i32[n], l: i32, out c: i64[n], out d: i64[n], out e: i64[n]) {
	require l > 3, l < 30000, n < 700;
	let x: f32[n];
	let y: f32[n];
	let z: f32[n];
	map x[i] = f32(k[i] & 7) / 8 * f32(l % 5), y[i] = f32(l) - 0.25 - f32(k[i] >> 3 & 3),
		z[i] = f32(k[i] & 1 == 0 ? (k[i] >> 4 & 3) : l - 1 - (k[i] >> 4 & 3));
	pairs c[i] = count[j](true) within 1.25 of (x, y, z) wrap (l, l, l);
	pairs d[i] = count[j](true) within 0.5 of (y, z) wrap (l, l);
	map x[i] = (i % 7 == 3 ? 1.0e9 : x[i]), y[i] = (i % 5 == 2 ? -1.0e30 : y[i]);
	pairs e[i] = count[j](true) within 0.75 of (x, y, z);
}
test near {
	outside(x = [0, 3, 7.5, 2, 8], y = [1, 1, 1, 7.5, 0], l = 8) -> c = [2, 2, 2, 2, 0] status box;
	outside(x = [0, 3, 7.5], y = [1, 1, 1], l = 8) -> c = [2, 1, 2], d = [2, 1, 2];
	alone(x = [0, 1, nan, inf, inf], y = [0, 0, 0, 0, 0], w = [1, 2, 3, 4, 5], r = 2) -> c = [2, 2, 0, 0, 0], s = [1, -1, 0, 0, 0];
}
