/* Arrays as values: functions take and give them, ?: chooses one, == compares two, one is assigned to a field. */
struct Mat { m: f32[4, 4] }
struct Two { a: f64[2, 2], b: f64[2, 2], k: i32 }
struct Eight { v: i32[8], n: u8 }
struct State { h: u32[8] }
struct Point { x, y: i16 }
struct Path { p: Point[3], on: bool[3], f: f16[3] }

const IDENTITY: f32[4, 4] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
const START: u32[8] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

fn product(a: f32[4, 4], b: f32[4, 4]) -> f32[4, 4] {
	var c: f32[4, 4];
	for i in 0..4 { for j in 0..4 { for k in 0..4 { c[i, j] += a[i, k] * b[k, j]; } } }
	return c;
}
fn transposed(a: f32[4, 4]) -> f32[4, 4] {
	var t: f32[4, 4];
	for i in 0..4 { for j in 0..4 { t[i, j] = a[j, i]; } }
	return t;
}
fn power(a: f32[4, 4], n: i32) -> f32[4, 4] {
	var r = IDENTITY;
	for k in 0..n { r = product(r, a); }
	return r;
}
/* By cofactors; a matrix without an inverse is left as it is. */
fn inverse(a: f64[2, 2]) -> f64[2, 2] {
	let det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0];
	let d = 1 / det;
	return det == 0 ? a : [[a[1, 1] * d, -a[0, 1] * d], [-a[1, 0] * d, a[0, 0] * d]];
}
fn inverse_of_3(m: f32[3, 3]) -> f32[3, 3] {
	var c: f32[3, 3];
	for i in 0..3 { for j in 0..3 {
		c[j, i] = m[(i + 1) % 3, (j + 1) % 3] * m[(i + 2) % 3, (j + 2) % 3]
			- m[(i + 1) % 3, (j + 2) % 3] * m[(i + 2) % 3, (j + 1) % 3];
	} }
	let det = m[0, 0] * c[0, 0] + m[0, 1] * c[1, 0] + m[0, 2] * c[2, 0];
	for i in 0..3 { for j in 0..3 { c[i, j] /= det; } }
	return c;
}
fn corner(m: f32[4, 4]) -> f32[3, 3] {
	var c: f32[3, 3];
	for i in 0..3 { for j in 0..3 { c[i, j] = m[i, j] + (i == j ? 8.0f32 : 0); } }
	return c;
}
fn trace(m: f32[3, 3]) -> f32 = m[0, 0] + m[1, 1] + m[2, 2];

/* A network that sorts: eight rounds of neighbours in order. */
fn exchanged(v: i32[8]) -> i32[8] {
	var r = v;
	for k in 0..4 {
		r[2 * k] = min(v[2 * k], v[2 * k + 1]);
		r[2 * k + 1] = max(v[2 * k], v[2 * k + 1]);
	}
	let s = r;
	for k in 0..3 {
		r[2 * k + 1] = min(s[2 * k + 1], s[2 * k + 2]);
		r[2 * k + 2] = max(s[2 * k + 1], s[2 * k + 2]);
	}
	return r;
}
fn sorted(v: i32[8]) -> i32[8] {
	var a = v;
	for k in 0..4 { a = exchanged(a); }
	return a;
}
fn median(v: i32[8]) -> i32 {
	let s = sorted(v);
	return s == v ? v[3] : s[3];
}

fn rotate(x: u32, by: i32) -> u32 = x >> by | x << (32 - by);
fn rounded(s: u32[8], w: u32) -> u32[8] {
	let choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
	let t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choice + w;
	let most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
	let u = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + most;
	return [t + u, s[0], s[1], s[2], s[3] + t, s[4], s[5], s[6]];
}
fn hashed(start: u32[8], x: u32) -> u32[8] {
	var s = start;
	for r in 0..16 { s = rounded(s, x * u32(r + 1)); }
	for k in 0..8 { s[k] += start[k]; }
	return s;
}
fn least(s: u32[8], t: u32[8]) -> u32[8] { if s[0] < t[0] { return s; } return t; }
fn first(s: u32[8]) -> u32 {
	var t = s;
	var n: u32;
	while n < 3 && State(rounded(t, n)).h[0] > 1000 { t = least(rounded(t, n), s); n += 1; }
	return t[0] + n;
}
fn middle(p: Point[3]) -> Point {
	let back: Point[3] = [p[2], p[1], p[0]];
	return back == p ? p[1] : Point(i16(p[0].x + p[2].x), 1);
}
fn swapped(p: Point[3], on: bool) -> Point[3] = on ? [p[2], p[1], p[0]] : p;
fn halves(a: f16[3], b: f16[3]) -> f16[3] {
	var r = a;
	for k in 0..3 { r[k] = f16(a[k] + b[k]); }
	return r;
}
fn path(p: Path) -> Path = Path(swapped(p.p, p.on[0]), p.on, halves(p.f, p.f));

op add(a: i32[8], b: i32[8]) -> i32[8] {
	var r = a;
	for k in 0..8 { r[k] += b[k]; }
	return r;
} identity [0, 0, 0, 0, 0, 0, 0, 0], associative, commutative;
op multiply(a: u32[2, 2], b: u32[2, 2]) -> u32[2, 2] {
	var c: u32[2, 2];
	for i in 0..2 { for j in 0..2 { for k in 0..2 { c[i, j] += a[i, k] * b[k, j]; } } }
	return c;
} identity [[1, 0], [0, 1]], associative;
struct Words { w: u32[2, 2] }

kernel matrices(x: Mat[n], y: Mat[n], out z: Mat[n], out t: f32[n], inout p: Mat[n]) {
	map z[i].m = product(x[i].m, transposed(y[i].m));
	map t[i] = trace(inverse_of_3(corner(x[i].m)));
	map p[i].m = power(p[i].m, i32(i % 3));
}
kernel inverses(x: Two[n], out z: Two[n]) {
	map z[i] = Two(inverse(x[i].a), x[i].k > 0 ? x[i].a : inverse(x[i].b), x[i].a == x[i].b ? 1 : 2);
}
kernel eights(x: Eight[n], out s: Eight[n], out m: i32[n], out all: Eight, out row: Eight[n]) {
	map s[i].v = sorted(x[i].v), s[i].n = x[i].n;
	map m[i] = median(s[i].v) + median(x[i].v);
	reduce all.v = add[i](s[i].v);
	map all.n = 1;
	scan row[i].v = add(x[i].v);
	map row[i].n = u8(i);
}
kernel hashes(x: u32[n], out h: State[n], out top: u32[n]) {
	map h[i].h = hashed(START, x[i]);
	map top[i] = first(h[i].h);
}
kernel paths(x: Path[n], out y: Path[n], out m: Point[n], inout z: Path[n]) {
	map y[i] = path(x[i]);
	map m[i] = middle(y[i].p);
	map z[i].p = swapped(z[i].p, x[i].on[1]), z[i].f = [1, x[i].f[0], f16(i)], z[i].on = x[i].on where i % 3 != 0;
}
kernel moved(x: Eight[n], at: i32[m], to: i64[m], out g: Eight[m], inout s: Eight[m], out b: Eight[n]) {
	gather g[i].v = x[at[i]].v, g[i].n = 3 drop;
	scatter s[to[i]].v = sorted(g[i].v) unique;
	stencil b[i].v = x[i-1].n > 100 ? sorted(x[i+1].v) : x[i-1].v, b[i].n = x[i].n boundary clamp;
}
kernel turned(x: Eight[n, m], out y: Eight[m, n]) {
	transpose y[j, i].v = x[i, j].v;
	map y[i, j].n = 4;
}
kernel apart(steps: i32, x: Eight[n] layout soa, inout y: Eight[n] layout soa, inout z: Eight[n] layout aosoa(8), out t: Eight[n, m] layout col) {
	repeat s < steps {
		map y[i].v = sorted(y[i].v);
		map z[i].v = x[i].v, y[i].v = z[i].v == y[i].v ? x[i].v : [1, 2, 3, 4, 5, 6, 7, y[i].v[0]];
	}
	if steps > 1 {
		map t[i, j].v = x[i].v, t[i, j].n = z[i].n;
	}
}
kernel rows(x: Words[m, n], out r: Words[m], out all: Words, out near: Words[m]) {
	require n >= 2;
	reduce r[i].w = multiply[j](x[i, j].w);
	reduce all.w = multiply[i, j](x[i, j].w);
	map near[i].w = multiply(r[i].w, x[i, 1].w);
}
kernel kept(x: Eight[n], out y: i32[n]) {
	let t: Eight[n];
	map t[i].v = sorted(x[i].v);
	stencil y[i] = t[i-1].v == t[i+1].v ? t[i].v[0] : median(t[i-1].v) boundary wrap;
}

test matrices_and_hashes {
	matrices(x = [Mat([[1, 2, 3, 4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]])], y = [Mat([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]])], p = [Mat([[1, 2, 3, 4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]])])
		-> z = [Mat([[1, 3, 4, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]])], p = [Mat([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])];
	matrices(n = 40, x = random, y = random, p = random);
	inverses(x = [Two([[2, 0], [1, 4]], [[0, 1], [0, 0]], 0)]) -> z = [Two([[0.5, 0], [-0.125, 0.25]], [[0, 1], [0, 0]], 2)];
	inverses(n = 300, x = random);
	hashes(n = 70, x = random);
}
test eight_values {
	eights(x = [Eight([5, 3, 8, 1, 7, 2, 6, 4], 1), Eight([1, 1, 1, 1, 1, 1, 1, 0], 1)]) -> s = [Eight([1, 2, 3, 4, 5, 6, 7, 8], 1), Eight([0, 1, 1, 1, 1, 1, 1, 1], 1)],
		m = [8, 2], all = Eight([1, 3, 4, 5, 6, 7, 8, 9], 1), row = [Eight([5, 3, 8, 1, 7, 2, 6, 4], 0), Eight([6, 4, 9, 2, 8, 3, 7, 4], 1)];
	eights(n = 700, x = random);
	kept(n = 300, x = random);
}
test the_others {
	paths(n = 300, x = random, z = random);
	moved(x = [Eight([5, 3, 8, 1, 7, 2, 6, 4], 101), Eight([2, 2, 2, 2, 2, 2, 2, 2], 2)], at = [0, 1, 0], to = [2, 0, 1], s = random);
	turned(n = 33, m = 40, x = random);
	apart(steps = 2, n = 40, m = 3, x = random, y = random, z = random);
	rows(m = 20, n = 30, x = random);
}
