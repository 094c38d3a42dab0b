// Lists of the bodies near each body, and where the rows of a compact begin: ordered or not, in boxes, halves, crowds.
struct Body { x: f32, y: f32, z: f32, m: f32 }
fn spread(k: i32, by: i32) -> f32 = f32((k & 1023) % by) * 0.5;
kernel lists(k: i32[n], rc: i32, by: i32, out start: i32[n+1], inout list: i32[most], inout dx: f32[most], out count: i64) {
	require rc > 0, rc < 4, by > 0, by < 64, n < 700;
	let p: Body[n];
	map p[i] = Body(spread(k[i], by), spread(k[i] >> 3, by) - 3, spread(k[i] >> 6, by) - 20, spread(k[i], 7));
	compact list, count = i32(j), dx = p[j].x - p[i].m where i != j for i in 0..n, j in 0..n
		within f32(rc) of (x, y, z) rows start;
}
// In the order of the grid.
kernel unordered(k: i32[n], l: i32, wide: i32, out start: i64[n+1], inout list: i64[most], inout weight: i32[most], out count: i32) {
	require l > 0, l < 40, wide > 0, wide <= l, n < 99, most >= n * 30;
	let x: f64[n];
	let y: f32[n];
	map x[i] = f64((k[i] & 1023) % wide), y[i] = f32((k[i] >> 4 & 1023) % wide) + 0.25;
	compact list, count = j, weight = i32(i * 100 + j) for i in 0..n, j in 0..n
		within 1.5 of (x, y) wrap (f64(l) + 2, f64(l + 3) + 0.5) rows start unordered;
}
// More near bodies than are sorted at once; more than some lanes of a warp have room for.
const CROWD: i64 = 2100;
kernel crowd(k: i32[CROWD], by: i32, out start: i64[CROWD+1], inout list: u32[2300]) {
	require by > 0, by < 9;
	let x: f32[CROWD];
	map x[i] = f32((k[i] & 1023) % by) * 0.25;
	compact list = u32(j) for i in 0..CROWD, j in 0..CROWD within 1.5 of x rows start;
}
kernel dense(k: i32[260], by: i32, out start: i32[261], inout list: u32[1000], out pairs: i64, inout a: i64[1000], inout b: i64[1000]) {
	require by > 0, by < 20;
	let x: f32[260];
	map x[i] = f32((k[i] & 1023) % by) * 0.25;
	all: compact list = u32(j) for i in 0..260, j in 0..260 within 1.5 of x rows start;
	half: compact a, pairs = i, b = j where i < j for i in 0..260, j in 0..260 within 1.25 of x;
}
schedule dense for cuda { all: bin 2; half: bin 1 cap 4; }
schedule dense for hip { all: bin 16 cap 1; }
// Bodies outside the box, or without numbers; what the call, a table or a matrix leaves out.
kernel masked(x: f32[n], t: i32[m], w: i64[n], bond: bool[n, n], l: f32, inout c: i64[most], inout d: i64[most], out first: i32[n+1],
		out tested: i64, out kept: i32) {
	require l >= 4.0, l < 1000.0, n < 500;
	compact c, tested = i + j where t[w[j]] > i % 3 for i in 0..n, j in 0..n within 2 of x wrap l drop rows first;
	compact d, kept = j where !bond[i, j] for i in 1..n, j in 0..n within 20 of x;
}
kernel recorded(k: i32[n], t: i32[m], out c: i32[n], out first: i64[n+1], inout list: i32[most]) {
	require n < 500;
	let x: i32[n];
	map x[i] = k[i] % 50, c[i] = 0;
	compact list = i32(j) where t[k[j]] > 0 for i in 0..n, j in 0..n within 3 of x rows first;
	reduce c[i] = max[e in first[i]..first[i+1]](list[e]) for i in 0..n;
}
// All pairs are tested: pinned, or the other body is one of some.
kernel every(k: i32[n], out first: i64[n+1], out second: i32[n+1], inout a: i64[most], inout b: i64[most]) {
	require n < 500, n > 0;
	let x: i64[n];
	map x[i] = i64(k[i] % 40);
	pinned: compact a = i * j where (k[i] ^ k[j]) % 2 == 0 for i in 0..n, j in 0..n within 5 of (x, x) rows first;
	some: compact b = j for i in 0..n, j in 1..n within 3 of x rows second;
}
schedule every for cuda { pinned: no bin; }
schedule every for hip { pinned: no bin; }
schedule every for cpu { pinned: no bin; }
kernel layouts(p: Body[n] layout soa, scale: f32, out first: i64[n+1], inout a: f32[most], inout q: Body[most], inout b: i32[most], out k: i64) {
	require scale > 0.0, scale < 50.0, n < 500;
	compact a = p[j].m, q = p[j], b = i32(i - j) for i in 0..n, j in 0..n within scale of (x, y) rows first;
	compact b, k = i32(j) where p[i].z <= p[j].m for i in 0..n, j in 0..n within (scale * 2) of z unordered;
}
// Rows without a radius: a matrix, its triangle, and what is left out.
kernel matrix(a: i32[n, m], out start: i64[n+1], inout col: i32[most], inout v: i32[most], out nnz: i32, out upper: i32[n+1], inout u: i64[most],
		inout other: i64[most]) {
	compact col, nnz = i32(j), v = a[i, j] where a[i, j] % 3 != 0 for i in 0..n, j in 0..m rows start;
	compact u = i * m + j where a[i, j] % 2 == 0 else other for i in 0..n, j in i..m rows upper;
}
kernel rows_of(a: i32[n, m], out start: i32[n+1], out sum: i64[n]) {
	let v: i64[n, m];
	let at: i64[n];
	map v[i, j] = 2 * i64(a[i, j]);
	let list: i64[n];
	compact list = v[i, j] where v[i, j] > 0 rows start;
	reduce sum[i] = sum[e in start[i]..start[i+1]](list[e]) for i in 0..n;
}
// Lists of a radius and a skin, that are built again when some body has moved by half of the skin.
kernel steps(k: i32[n], s: i64, out x: f32[n], out built: i32, out full: i64, inout start: i32[n+1], inout list: i32[most]) {
	require s < 7, n < 300, most >= n * n;
	let old: f32[n];
	let v: f32[n];
	let moved: f32;
	map x[i] = f32(k[i] & 63), v[i] = f32(k[i] >> 6 & 7) / 8, old[i] = inf;
	map built = 0;
	repeat t < s {
		reduce moved = max[i](abs(x[i] - old[i]));
		if moved > 0.5 {
			compact list, full = i32(j) where i != j for i in 0..n, j in 0..n within 3 of x rows start;
			map old[i] = x[i];
			map built += 1;
		}
		reduce v[i] = v[i] + sum[e in start[i]..start[i+1] where abs(x[list[e]] - x[i]) < 2](x[i] > x[list[e]] ? 0.125 : -0.125) / 4
			for i in 0..n;
		map x[i] = x[i] + v[i] / 4;
	}
}
test lists_of {
	lists(k = [0, 1, 2, 40], rc = 1, by = 50, list = [9, 9, 9, 9], dx = 0) -> list = [1, 0, 2, 1], start = [0, 1, 3, 4, 4], count = 4;
	lists(k = [0, 1, 2, 40], rc = 1, by = 50, list = [9, 9], dx = [1, 1]) -> list = [1, 0], start = [0, 1, 3, 4, 4], count = 4 status full;
	lists(n = 0, rc = 1, by = 50, list = [1, 2], dx = 0) -> start = [0], count = 0;
	matrix(a = [[1, 0, 2], [3, 3, 3], [0, 0, 4]], col = [7, 7, 7], v = 0, u = 0, other = 0)
		-> start = [0, 2, 2, 3], col = [0, 2, 2], nnz = 3, upper = [0, 2, 2, 3], u = [1, 2, 8], other = [0, 4, 5];
}
