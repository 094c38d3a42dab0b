// Items go to cells anywhere and meet there, by every kind of operator; what lies outside is left out.
struct Pair { a: f32, b: i32 }
struct Three { v: u8[3] }
struct Many { x: f32, c: u8, h: f16[2], w: i64 }
struct Tiny { a: i8, b: bool, h: f16 }
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op both(p: Pair, q: Pair) -> Pair = Pair(max(p.a, q.a), p.b + q.b) identity Pair(-inf, 0), associative, commutative;
op all_of(p: Many, q: Many) -> Many = Many(max(q.x, p.x), p.c + q.c, [min(p.h[0], q.h[0]), q.h[1] + p.h[1]], p.w ^ q.w)
	associative, commutative;
op better(p: Pair, q: Pair) -> Pair = p.a > q.a || (p.a == q.a && p.b < q.b) ? p : q associative, commutative;
op mixed(p: Tiny, q: Tiny) -> Tiny = p.b && q.b ? Tiny(max(p.a, q.a), true, max(p.h, q.h)) : Tiny(max(p.a, q.a), false, max(p.h, q.h))
	associative, commutative;
fn fill(a: u8, b: u8) -> u8 = u8(min(i32(a) + i32(b), 255));
op fills(a: u8, b: u8) -> u8 = fill(a, b) identity 0, associative, commutative;
kernel sums(k: i32[n], x: f32[n], d: f64[n], w: i64[n], inout y: f32[m], inout e: f64[m], inout s: i64[m], inout c: u32[m]) {
	scatter y[k[i]] += 2 * x[i];
	scatter e[k[i]] -= d[i], s[k[i]] += w[i], c[k[i]] += 1 drop;
}
kernel others(k: u16[n], x: f32[n], i_: i32[n], b: bool[n], inout y: f32[m], inout z: f32[m], inout l: i32[m], inout h: u64[m], inout any_: bool[m]) {
	scatter y[k[i]] max= x[i], l[k[i]] min= i_[i] where i_[i] != 3;
	scatter z[k[i]] lse= x[i];
	scatter h[k[i]] ^= u64(i), any_[k[i]] any= b[i];
}
kernel small(k: i64[n], x: f16[n], u: u8[n], w: i16[n], inout y: f16[m], inout t: u8[m], inout s: i16[m], inout r: u8[m]) {
	scatter y[k[i]] += x[i], t[k[i]] fills= u[i];
	scatter s[k[i]] += w[i], r[k[i]] |= u[i];
}
kernel records(k: i32[n], p: Pair[n], inout q: Pair[m], inout r: Pair[m], inout t: Three[m], inout v: Pair[m] layout soa) {
	scatter q[k[i]] both= p[i], v[k[i]] both= p[i];
	scatter r[k[i]].a += p[i].a, r[k[i]].b max= p[i].b;
	scatter t[k[i]].v[i % 3] += 1, v[k[i]].b += p[i].b;
}
kernel parts(k: i32[n], p: Many[n] layout soa, inout q: Many[m], inout r: Many[m] layout aosoa(4)) {
	scatter q[k[i]] all_of= p[i], r[k[i]] all_of= p[i] drop;
}
kernel wholes(k: i64[n], p: Pair[n], t: Tiny[n], inout q: Pair[m], inout r: Tiny[m]) {
	scatter q[k[i]] better= p[i], r[k[i]] mixed= t[i];
}
kernel ends(from: i32[n], to: i32[n], f: f32[n], inout y: f32[m]) {
	scatter y[from[i]] -= f[i], y[to[i]] += f[i];
}
kernel ordered(k: i32[n, l], x: f32[n, l], inout y: f32[m], inout z: f32[m]) {
	scatter y[k[i, j]] += x[i, j] * x[i, j] strict;
	scatter z[k[i, j]] *= x[i, j] for i in 0..n, j in 0..min(i, l);
}
kernel moved(k: i32[n], x: f32[n], p: Pair[n], inout y: f32[n+1], inout q: Pair[n+1], inout r: Pair[n+1] layout soa) {
	scatter y[k[i]] = x[i] + 1, q[k[i]] = p[i], r[k[i]] = p[i] unique;
}
kernel affine(x: f32[n], a: i32[n, l], inout y: f32[2*n+1], inout b: i32[n + l]) {
	scatter y[2*i + 1] += x[i];
	scatter b[i + j] += a[i, j];
}
kernel through(inout h: i64[4], inout w: Three[4], k: u16[n], l: i8[n], x: i32[n]) {
	histogram h[i64(l[k[i]]) & 7] min= 1;
	scatter w[x[i]].v[l[k[i]]] += 1;
}
kernel made(n: i64[1], k: i32[m], x: f32[m], inout y: f32[9], count: i32) {
	let c: i64;
	map c = i64(count);
	scatter y[i % 9] += f32(i) for i in 0..min(c, 50);
}
test of_scatters {
	sums(k = [1, 1, 5, -1], x = [1, 2, 3, 4], d = 1, w = [1, 2, 3, 4], y = 1, e = 0, s = 0, c = [5, 6]) -> y = [1, 7], e = [0, -2], s = [0, 3], c = [5, 8] status index;
	small(k = [0, 0, 1], x = 1, u = [200, 100, 3], w = [30000, 30000, 1], y = 0, t = 0, s = 0, r = [0, 8]) -> y = [2, 1], t = [255, 3], s = [-5536, 1], r = [236, 11];
	small(k = [4294967296, 2147483648, 1, -4294967296], x = 1, u = [200, 100, 3, 9], w = [1, 2, 3, 4], y = 0, t = 0, s = 0, r = [0, 8]) -> y = [0, 1], t = [0, 3], s = [0, 3], r = [0, 11] status index;
	records(k = [1, 1], m = 2, p = [Pair(1, 2), Pair(3, 4)], q = Pair(2, 1), r = Pair(0, 0), t = Three([255, 1, 1]), v = Pair(0, 0))
		-> q = [Pair(2, 1), Pair(3, 7)], r = [Pair(0, 0), Pair(4, 4)], t = [Three([255, 1, 1]), Three([0, 2, 1])], v = [Pair(0, 0), Pair(3, 12)];
	wholes(k = [1, 0, 1, 1], m = 2, p = [Pair(1, 2), Pair(3, 4), Pair(5, 6), Pair(5, 1)], t = Tiny(1, true, 2), q = Pair(2, 1), r = Tiny(-1, true, 3)) -> q = [Pair(3, 4), Pair(5, 1)], r = Tiny(1, true, 3);
	ends(from = [0, 1], to = [1, 2], f = [3, 4], y = [0, 0, 0]) -> y = [-3, -1, 4];
	through(h = 3, w = Three([1, 1, 1]), k = [65535, 1, 4, 0, 1], l = [2, -1, 0, 0, 0], x = [0, 1, 2, 3, 4]) -> h = [1, 3, 1, 3],
		w = [Three([1, 1, 1]), Three([1, 1, 1]), Three([2, 1, 1]), Three([1, 1, 2])] status index;
	moved(k = [2, 0], x = [7, 8], p = Pair(1, 1), y = [0, 0, 0], q = Pair(0, 0), r = Pair(0, 0)) -> y = [9, 0, 8];
}
// Every operation that machines have, and 8 bytes put back as one word.
kernel words(k: i32[n], a: u32[n], b: u64[n], c: i64[n], inout d: u32[m], inout e: u32[m], inout f: u32[m], inout g: u32[m], inout h: u32[m],
             inout o: u64[m], inout p: u64[m], inout q: u64[m], inout r: u64[m], inout s: i64[m], inout t: i64[m], inout u: i64[m]) {
	scatter d[k[i]] &= a[i], e[k[i]] |= a[i], f[k[i]] ^= a[i], g[k[i]] max= a[i], h[k[i]] min= a[i] drop;
	scatter o[k[i]] &= b[i], p[k[i]] |= b[i], q[k[i]] max= b[i], r[k[i]] min= b[i], s[k[i]] max= c[i], t[k[i]] min= c[i], u[k[i]] *= c[i] drop;
}
