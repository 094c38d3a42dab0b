/* Arrays in functions that stay in registers: a product of matrices, a network that sorts, a cosine transform, the words of
 * a hash, a factorisation with loops whose bounds are indices, a permutation by a constant table. */
struct Mat { m: f32[4, 4] }
struct Eight { v: f32[8] }
struct Point { x, y: i16 }

const ORDER: i32[8] = [0, 4, 2, 6, 1, 5, 3, 7];

fn product(x: Mat, y: Mat) -> Mat {
	var r: f32[4, 4];
	for i in 0..4 { for j in 0..4 { for k in 0..4 {
		r[i, j] += x.m[i, k] * y.m[k, j];
	} } }
	var z: Mat;
	z.m = r;
	return z;
}
/* The merges of Batcher: `j ^ d` is the partner. */
fn sorted(e: Eight) -> Eight {
	var a = e.v;
	for p in 0..3 { for q in 0..p + 1 {
		let d = 1 << (p - q);
		for j in 0..8 {
			let other = j ^ d;
			if other > j {
				let u = a[j];
				let v = a[other];
				let up = (j >> (p + 1)) % 2 == 0;
				if (u > v) == up { a[j] = v; a[other] = u; }
			}
		}
	} }
	var r: Eight;
	r.v = a;
	return r;
}
fn dct(e: Eight) -> Eight {
	var r: Eight;
	for u in 0..8 {
		var s: f32 = 0;
		for k in 0..8 { s += e.v[k] * cos(f32(2 * k + 1) * f32(u) * 0.19634954); }
		r.v[u] = u == 0 ? s * 0.35355339 : s * 0.5;
	}
	return r;
}
fn rotate(x: u32, by: i32) -> u32 = x >> by | x << (32 - by);
fn words_of(x: u32) -> u32 {
	var w: u32[64];
	for t in 0..16 { w[t] = x * u32(t + 1); }
	for t in 16..64 {
		let a = w[t - 15];
		let b = w[t - 2];
		w[t] = w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	return w[63] ^ w[48];
}
/* A ring of the last 16 words is enough. */
fn words_ring(x: u32) -> u32 {
	var w: u32[16];
	for t in 0..16 { w[t] = x * u32(t + 1); }
	var w48: u32 = 0;
	for t in 16..64 {
		let a = w[(t + 1) % 16];
		let b = w[(t + 14) & 15];
		w[t % 16] += (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[(t + 9) & 15] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
		if t == 48 { w48 = w[t - 48]; }
	}
	return w[15] ^ w48;
}
fn cholesky(x: f64) -> f64 {
	var l: f64[4, 4];
	for i in 0..4 { for j in 0..i + 1 {
		var s: f64 = i == j ? 4 + x : 1 / f64(i + j + 1);
		for k in 0..j { s -= l[i, k] * l[j, k]; }
		if i == j { l[i, j] = sqrt(s); } else { l[i, j] = s / l[j, j]; }
	} }
	var det: f64 = 1;
	for i in 0..4 { det *= l[i, i]; }
	return det * det;
}
fn turned(x: i32) -> i32 {
	var a: i32[8];
	var p: Point[3];
	var seen: bool[8];
	for k in 0..8 { a[ORDER[ORDER[k]]] += x * i32(k) + ORDER[7 - k]; }
	for k in 0..3 {
		p[k].x = i16(a[k]);
		p[2 - k].y += i16(a[k + 5]);
	}
	let q = p[1];
	for k in 0..8 {
		if k + 1 < 8 { seen[k + 1] = a[k] > a[k + 1]; }
	}
	var s: i32 = 0;
	for k in 0..8 {
		if seen[7 - k] { s += 1; continue; }
		if k == 6 { break; }
		s = s * 3 + a[k];
	}
	return s + q.x + q.y * 7 + p[2].x - p[0].y;
}
/* Zero at first, in every pass. */
fn fresh(n: i64) -> i64 {
	var s: i64 = 0;
	for t in 0..n {
		var a: i64[3];
		a[1] += t;
		s += a[0] + 10 * a[1];
	}
	return s;
}
struct Block { v: f32[2, 4], k: i32 }
fn listed(x: f32) -> Block {
	let a: f32[2, 4] = [[x, 2 * x, 3, 4], [5, 6, 7, x]];
	var b: f32[3] = [a[0, 1], a[1, 2], 1];
	b[1] += 1;
	var s: f32 = 0;
	for t in 0..3 {
		let w: f32[3] = [1, 2, s];
		s += b[t] * w[t];
	}
	let e = Block(a, 3);
	return Block(e.v, i32(s));
}
kernel lists(x: f32[n], out e: Block[n], out h: Block[n]) {
	map e[i] = listed(x[i]);
	map h[i] = Block(e[i].v, e[i].k + 1);
}
kernel matrices(x: Mat[n], y: Mat[n], out z: Mat[n]) {
	map z[i] = product(x[i], y[i]);
}
kernel eights(x: Eight[n], out s: Eight[n], out c: Eight[n]) {
	map s[i] = sorted(x[i]);
	map c[i] = dct(s[i]);
}
kernel words(x: u32[n], out h: u32[n], out r: u32[n]) {
	map h[i] = words_of(x[i]);
	map r[i] = words_ring(x[i]);
}
kernel others(x: f64[n], k: i32[n], out d: f64[n], out t: i32[n], out f: i64[n], out most: i32) {
	map d[i] = cholesky(x[i]);
	map t[i] = turned(k[i]);
	map f[i] = fresh(i % 7);
	reduce most = max[i](turned(k[i]));
}
op plus(a: Mat, b: Mat) -> Mat = added(a, b) assume identity Mat([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]), assume associative;
fn added(a: Mat, b: Mat) -> Mat {
	var r: f32[4, 4];
	for i in 0..4 { for j in 0..4 { r[i, j] = a.m[i, j] + b.m[i, j]; } }
	var z = a;
	z.m = r;
	return z;
}
kernel sums(x: i32[n], y: Mat[n], out s: i32, out all: Mat) {
	reduce s = middle[i](x[i]);
	reduce all = plus[i](y[i]);
}
op middle(a: i32, b: i32) -> i32 {
	var s: i32[2];
	s[0] = a;
	s[1] = b;
	for k in 0..1 { if s[k] > s[k + 1] { return s[k]; } }
	return s[1];
} identity i32.min, associative, commutative;

test matrices_and_words {
	matrices(x = [Mat([[1, 2, 3, 4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]])], y = [Mat([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]])])
		-> z = [Mat([[10, 2, 3, 4], [1, 1, 0, 0], [1, 0, 1, 0], [2, 0, 0, 2]])];
	words(x = [1, 12345]) -> h = [148597598, 4258909149], r = [148597598, 4258909149];
}
test eight_values {
	eights(x = [Eight([5, 3, 8, 1, 7, 2, 6, 4])]) -> s = [Eight([1, 2, 3, 4, 5, 6, 7, 8])],
		c = [Eight([12.7279, -6.4423, 0, -0.6735, 0, -0.2009, 0, -0.0507])] within 1e-3;
	eights(n = 7, x = random);
}
test the_others {
	others(x = [0], k = [1]) -> f = [0];
	others(n = 5, x = 1, k = random) -> f = [0, 0, 10, 30, 60];
	sums(x = [3, 9, 2], y = random) -> s = 9;
	sums(n = 700, x = random, y = random);
}
test lists_of_values {
	lists(x = [1, 2]) -> e = [Block([[1, 2, 3, 4], [5, 6, 7, 1]], 36), Block([[2, 4, 3, 4], [5, 6, 7, 2]], 40)],
		h = [Block([[1, 2, 3, 4], [5, 6, 7, 1]], 37), Block([[2, 4, 3, 4], [5, 6, 7, 2]], 41)];
}
