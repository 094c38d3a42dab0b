struct Pair { u: f64, v: f64 }
struct Mat { a: f64, b: f64, c: f64, d: f64 }
extern fn outer(p: Pair) -> Pair from "outer.h";
fn mul(m: Mat, p: Pair) -> Pair = Pair(m.a * p.u + m.b * p.v, m.c * p.u + m.d * p.v);
fn add(p: Pair, q: Pair) -> Pair = Pair(p.u + q.u, p.v + q.v);
fn steps(p: Pair) -> Pair {
	let half: f64 = p.u / 2;
	return Pair(half, p.v);
}
fn product(p: Pair) -> Pair = Pair(p.u * p.v, p.v);
op plus(p: Pair, q: Pair) -> Pair = Pair(p.u + q.u, p.v + q.v) identity Pair(0, 0), associative, commutative;
kernel refused(A: Mat[n], d: Pair[n], out x: Pair[n]) {
	solve x[i] in add(mul(A[i], x[i-1]), x[i]) = d[i] boundary wrap;
	solve x[i] in add(mul(A[i], x[i-1]), x[i]) = d[i] boundary Pair(0, 0) pivot;
	solve x[i] in add(mul(A[i], x[i-2]), x[i]) = d[i] boundary Pair(0, 0);
	solve x[i] in Pair(x[i].u + x[i+2].v, x[i].v) = d[i] boundary Pair(0, 0);
	solve x[i] in add(x[i], x[i-1]) = d[i] boundary d[i];
	solve x[i] in add(x[i], x[i-1]) = d[i] boundary mirror;
	solve x[i].u in x[i].u + x[i-1].u = d[i].u boundary 0;
}
kernel sums(A: Mat[4, 4], d: Pair[4], out x: Pair[4]) {
	solve x[i] in plus[j](mul(A[i, j], x[j])) = d[i];
	solve x[i] in Pair(x[i].u, x[i].v + sum[j](A[i, j].a * x[j].u)) = d[i];
}
struct Three { a, b, c: f32 }
kernel three(d: Three[n], out x: Three[n]) {
	solve x[i] in Three(4 * x[i].a, 4 * x[i].b, 4 * x[i].c + x[i-1].a) = d[i] boundary wrap;
}
