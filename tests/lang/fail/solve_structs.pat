struct Pair { u: f64, v: f64 }
struct Mat { a: f64, b: f64, c: f64, d: f64 }
struct One { u: f64 }
struct Five { a, b, c, d, e: f32 }
struct Mixed { a: f32, b: f64 }
struct Count { a: f32, b: i32 }
struct Row { a: f32[2], b: f32 }
extern fn outer(p: Pair) -> Pair from "outer.h";
fn mul(m: Mat, p: Pair) -> Pair = Pair(m.a * p.u + m.b * p.v, m.c * p.u + m.d * p.v);
fn add(p: Pair, q: Pair) -> Pair = Pair(p.u + q.u, p.v + q.v);
fn steps(p: Pair) -> Pair {
	let half: f64 = p.u / 2;
	return Pair(half, p.v);
}
fn product(p: Pair) -> Pair = Pair(p.u * p.v, p.v);
kernel linear(A: Mat[n], d: Pair[n], out x: Pair[n]) {
	solve x[i] in add(steps(x[i-1]), x[i]) = d[i] boundary Pair(0, 0);
	solve x[i] in add(outer(x[i-1]), x[i]) = d[i] boundary Pair(0, 0);
	solve x[i] in add(product(x[i-1]), x[i]) = d[i] boundary Pair(0, 0);
	solve x[i] in x[i].u > 0 ? x[i] : x[i-1] = d[i] boundary Pair(0, 0);
	solve x[i] in mul(A[i], x[i]) = d[i];
	solve x[i] in mul(A[i], x[i-1]) = d[i] boundary Pair(0, 0);
	solve x[i] in Pair(x[i].u + x[i-1].v, d[i].u) = d[i] boundary Pair(0, 0);
	solve x[i] in add(x[i], x[i-1]) = add(x[i], d[i]) boundary Pair(0, 0);
	solve x[i] in add(x[i], x[i-1]) = d[i];
	solve x[i] in x[i].u + x[i-1].u = d[i] boundary Pair(0, 0);
	solve x[i] in add(x[i], x[i-1]) = d[i].u boundary Pair(0, 0);
	solve x[i] in add(x[i], x[i-1]) = d[i] boundary 0;
}
kernel structs(out a: One[n], out b: Five[n], out c: Mixed[n], out d: Count[n], out e: Row[n]) {
	solve a[i] in One(a[i].u + a[i-1].u) = One(1) boundary One(0);
	solve b[i] in b[i] = Five(1, 1, 1, 1, 1);
	solve c[i] in c[i] = Mixed(1, 1);
	solve d[i] in d[i] = Count(1, 1);
	solve e[i] in e[i] = Row([1, 1], 1);
}
kernel numbers(d: f64[n], out x: f64[n]) {
	solve x[i] in One(x[i] + x[i-1]) = d[i] boundary 0;
}
