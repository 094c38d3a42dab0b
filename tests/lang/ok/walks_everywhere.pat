// Functions that read arrays, in every pattern that has expressions.
struct Node { key: i32, skip: i32, weight: f32 }
struct Hit { at: i32, t: f32 }
// a list, whose end is -1
fn length(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var k: i32 = 0;
	while at >= 0 at most n { at = next[at]; k = k + 1; }
	return k;
}
// a walk that gives a struct, and calls another one
fn lightest(node: Node[k], r: f32) -> Hit {
	var best: Hit = Hit(-1, inf);
	var at: i32 = 0;
	while at >= 0 at most (2 * k) {
		let here: Node = node[at];
		if abs(here.weight - r) < best.t { best = Hit(at, abs(here.weight - r)); }
		at = here.skip;
	}
	return best;
}
fn both(node: Node[k], next: i32[n], r: f32) -> f32 {
	let h: Hit = lightest(node, r);
	return h.t + f32(length(next, h.at));
}
// no subscript can be outside
fn dot(a: f64[n + 1], b: f64[n]) -> f64 {
	var s: f64 = 0;
	for i in 0..n { s += a[i] * b[i]; }
	return s;
}
fn corner(a: f32[n, m], i: i64, j: i64) -> f32 = a[i, j] + a[j, i];
// limits without arrays
fn collatz(n: i64) -> i32 {
	var k: i64 = n;
	var steps: i32 = 0;
	while k > 1 at most 50 {
		if k % 2 == 0 { k = k / 2; } else { k = 3 * k + 1; }
		steps = steps + 1;
	}
	return steps;
}

kernel walk_map(next: i32[n], from: i32[m], inout y: i32[m]) {
	map y[i] = length(next, from[i]) + 1;
}
kernel walk_drop(next: i32[n], from: i32[m], inout y: i32[m]) {
	gather y[i] = length(next, from[i]) drop;
}
kernel walk_trusted(next: i32[n], from: i32[m], inout y: i32[m]) {
	gather y[i] = from[i] < n ? length(next, -1 - from[i] * 0) : 3 trusted;
}
kernel walk_struct(node: Node[k], r: f32[m], inout h: Hit[m], inout t: f32[m]) {
	map h[i] = lightest(node, r[i]);
	map t[i] = lightest(node, r[i] + 1).t;
}
kernel walk_calls(node: Node[k], next: i32[n], r: f32[m], inout y: f32[m]) {
	map y[i] = both(node, next, r[i]);
}
kernel walk_lazy(next: i32[n], from: i32[m], inout y: i32[m]) {
	map y[i] = from[i] > 2 && length(next, from[i]) > 3 ? length(next, 0) : -length(next, from[i] - 1);
}
kernel walk_two(next: i32[n], from: i32[m], idx: i32[m], x: i32[n], inout y: i32[m]) {
	gather y[i] = x[idx[i]] + length(next, from[i]) + length(next, x[idx[i]]);
}
kernel walk_fold(next: i32[n], from: i32[r, m], inout y: i64[r], inout z: i32) {
	reduce y[i] = sum[j](i64(length(next, from[i, j])));
	reduce z = max[i, j](length(next, from[i, j]));
}
kernel walk_where(next: i32[n], from: i32[m], inout y: i32[m]) {
	map y[i] = 5 where length(next, from[i]) % 2 == 0;
}
kernel walk_place(next: i32[n], from: i32[m], inout y: i32[n]) {
	scatter y[length(next, from[i])] += 1;
}
kernel walk_keep(next: i32[n], from: i32[m], out kept: i32[m], out count: i64) {
	compact kept, count = from[i] where length(next, from[i]) > 1;
}
kernel walk_scan(next: i32[n], from: i32[m], inout y: i32[m]) {
	scan y[i] = sum(length(next, from[i]));
}
kernel walk_bins(next: i32[n], from: i32[m], inout h: i32[9]) {
	histogram h[length(next, from[i]) % 9] += 1;
}
kernel walk_stencil(next: i32[n], from: i32[m], inout y: i32[m]) {
	stencil y[i] = length(next, from[i]) + length(next, from[i+1]) boundary clamp;
}
kernel walk_dot(a: f64[n + 1], b: f64[n], out y: f64, out z: f64[m]) {
	map y = dot(a, b);
	map z[i] = f64(i) * dot(a, b);
}
kernel walk_plane(a: f32[n, m], i: i64[k], j: i64[k], inout y: f32[k]) {
	map y[q] = corner(a, i[q], j[q]);
}
kernel walk_steps(k: i64[n], inout y: i32[n]) {
	map y[i] = collatz(k[i] % 1000) + collatz(i);
}
kernel walk_temporary(x: i32[n], from: i32[m], inout y: i32[m]) {
	let next: i32[n];
	map next[i] = x[i] >= 0 && x[i] < n ? x[i] : -1;
	map y[i] = length(next, from[i]);
}
kernel walk_loop(inout a: i32[n], t: i32) {
	let b: i32[n];
	repeat k < t {
		map b[i] = length(a, a[i]) - 1;
		swap a, b;
	}
}
kernel walk_scalar(next: i32[n], inout k: i32) {
	map k = length(next, k) + length(next, 0);
}
kernel walk_wave(next: i32[n], out h: i32[p, q]) {
	wavefront h[i, j] = max(h[i-1, j], h[i, j-1]) + length(next, i32(j)) boundary (0);
}
