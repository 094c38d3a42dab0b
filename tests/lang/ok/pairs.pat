// Folds over pairs: many results and terms go through tiles of terms, few by lanes of a result.
struct Body { x: f32, y: f32, m: f32 }
struct Force { x: f32, y: f32 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y) identity Force(0, 0), associative, commutative;
fn pull(p: Body, q: Body) -> Force {
	let dx = q.x - p.x;
	let dy = q.y - p.y;
	let s = q.m / (dx * dx + dy * dy + 1);
	return Force(s * dx, s * dy);
}
kernel bodies(p: Body[n], out f: Force[n]) {
	pairs f[i] = plus[j](pull(p[i], p[j]));
}
kernel apart(p: Body[n] layout soa, out u: f32[n], out v: f32[n]) {
	pairs u[i] = sum[j where i != j](p[j].m * abs(p[i].x - p[j].x)) / 2,
	      v[i] = max[j where i != j](p[j].m - p[i].y);
}
// A grid against bodies; a reduce of this form is computed in the same way.
kernel potential(x: f64[k], y: f64[k], q: f64[k], out v: f64[n, m], out total: f64) {
	pairs v[i, j] = sum[b](q[b] / (1 + abs(x[b] - i) + abs(y[b] - j)));
	reduce total = max[i, j](v[i, j]);
}
kernel nearest(x: i32[n], y: i32[m], out d: i32[n], out at: i64[n], out ties: i64[n]) {
	reduce d[i], at[i] = argmin[j](abs(x[i] % 1000 - y[j] % 1000));
	pairs ties[i] = count[j](x[i] % 7 == y[j] % 7);
}
// In the order of the terms.
struct Line { a: u32, b: u32 }
op then(p: Line, q: Line) -> Line = Line(p.a * q.a, p.b * q.a + q.b) identity Line(1, 0), associative;
kernel composed(x: u32[n], y: u32[m], out f: Line[n]) {
	pairs f[i] = then[j](Line(x[i] | y[j], x[i] ^ y[j]));
}
// The mask alone is of the cell; places that data give, which the program answers for.
kernel above(q: f32[m], t: f32[n], k: i64[m], out y: f32[n], out c: i64[n]) {
	pairs y[i] = sum[j where q[j] > t[i]](q[j]);
	pairs c[i] = count[j](t[i] < q[k[j]]) drop;
}
kernel windows(x: i32[n], y: i32[m], z: u8[s, t], r: i32, inout c: i64[n]) {
	pairs c[i] = sum[j in 2..m-1](i64(y[j + 1]) * (i > 0 ? x[i - 1] : r)) for i in 1..n;
	pairs c[i] = c[i] + sum[j, k](i64(z[j, k]) * x[i]);
}
kernel steps(inout x: f32[n], v: f32[m], times: i32) {
	require times >= 0, times < 4;
	let y: f32[n];
	let most: f32;
	repeat k < times {
		reduce most = max[i](abs(x[i]));
		pairs y[i] = sum[j](v[j] / (1 + abs(v[j] - x[i]))) / (1 + most);
		map x[i] = y[i] + k;
	}
}
test of_pairs {
	bodies(p = [Body(0, 0, 1), Body(1, 0, 2)]) -> f = [Force(1, 0), Force(-0.5, 0)];
}
