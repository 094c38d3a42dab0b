// patc --target=cuda
// Items that meet in cells: which cells have owners, how the others are combined.
struct Pair { a, b: f32 }
op both(p: Pair, q: Pair) -> Pair = Pair(p.a + q.a, p.b + q.b) identity Pair(0, 0), associative, commutative;
kernel owners(x: f32[n], a: f32[n, m], inout y: f32[2*n], inout b: f32[m, n], inout z: f32[n]) {
	odd: scatter y[2*i + 1] += x[i];
	turned: scatter b[j, i] max= a[i, j];
	off: scatter z[i] += x[i];
}
kernel meet(k: i32[n], x: f32[n], a: f32[n, m], p: Pair[n], inout y: f32[m], inout d: f32[n + m], inout q: Pair[m], inout u: f32[n], count: i64[1]) {
	let c: i64;
	map c = count[0];
	sums: scatter y[k[i]] += x[i];
	most: scatter y[k[i]] max= x[i];
	diagonals: scatter d[i + j] += a[i, j];
	once: scatter y[k[i]] = x[i] unique;
	records: scatter q[k[i]] both= p[i];
	twice: scatter u[i] += x[i], u[n - 1 - i] += x[i];
	few: scatter y[k[i]] += x[i] for i in 0..min(c, n);
}
schedule owners for cuda { off: no gather; odd: gather; }
op larger(a: i32, b: i32) -> i32 = max(a, b) associative, commutative;
kernel reach(x: f32[n], w: f32[m], a: f32[n, n], k: i32[n], s: i32, inout y: f32[n + m], inout z: f32[n + 1], inout c: f32[2*n, 2*n + 1], inout t: f32[3*n], inout v: i32[n + 2]) {
	solved: scatter y[i + j] += w[j] * x[i];
	one: scatter z[i] -= x[i], z[i + 1] += x[i] for i in 0..n;
	two: scatter y[i] += x[i], z[i + 1] max= x[i] for i in 0..n;
	divided: scatter c[i + j, i - j + n] += a[i, j] for i in 0..n, j in 0..n;
	depends: scatter t[2*i + j] += a[i, j] for i in 0..n, j in 0..i;
	ordered: scatter y[i + j] += w[j] * x[i] strict;
	least: scatter v[i + j] larger= k[i] for i in 0..n, j in 0..3;
	tested: scatter z[i] += x[k[i]], z[i + 1] += x[i] for i in 0..n;
	given: scatter z[i + s] += x[i] for i in 0..n;
	stay: scatter y[i + j] += x[i] for i in 0..n, j in 0..m;
	blocks: scatter v[i + j] += k[i] for i in 0..n, j in 0..2;
	spread: scatter c[k[i] + p, k[i] + q] += x[i] for i in 0..n, p in 0..3, q in 0..3;
}
schedule reach for cuda { stay: no gather; blocks: privatise 2; }
kernel tiles(k: i32[n], x: f32[n], inout y: f32[m], inout few: f32[64]) {
	single: scatter y[k[i]] += x[i];
	known: scatter few[k[i]] += x[i];
}
schedule tiles for cuda { single: gather; known: gather; }
