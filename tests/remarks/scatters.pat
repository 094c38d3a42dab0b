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
