// Calls of kernels: their statements, with names of their own, where the call is.
use "calls_used.pat";
kernel values(t: f32[n], b: f32, count: i32[m], out x: f32[n], inout s: f32[n], out off: i32[m+1], out first: f32[n+2]) {
	let y: f32[n];
	scaled(t, 2, y);
	more: scaled(y, abs(b) + 2, x);
	shares(s, n + 2, first);
	offsets(count, off);
	let a: f32 = sum[i](t[i]);
	repeat i < 3 {
		counted(x, f32(i) + 1, y);
		grown(y, a + 1);
		scaled(y, 1.5, x);
		grown(x, a);
	}
}
// The sizes of one call come from columns, from longer arrays, and from constants.
kernel shapes(a: f32[n+1], b: f32[2*m], c: f32[4], out p: f32[n+1], out q: f32[2*m], out r: f32[4], out v: f32, col: i32[2*m], out off: i32[2*m+1]) {
	scaled(a, 1, p);
	scaled(b, 2, q);
	scaled(c, 3, r);
	offsets(col, off);
	total(q, v);
}
kernel places(inout p: Pair[h, h] layout col, inout r: Pair[h, w], at: Pair) {
	swapped(p, at);
	swapped(r, Pair(at.x + 1, 2));
}
kernel chosen(x: f32[n], inout key: u32[n], out at: i32[n], out y: f32[n], out count: i64, limit: f32) {
	if limit > 0 {
		few(x, limit, y, count);
	} else {
		let mean: f32 = sum[i](x[i]) / f32(n + 1);
		few(x, mean, y, count);
	}
	ordered(key, at);
}
// The kernel of a later declaration; swaps of what the caller gives.
kernel film(inout a: f32[n, m], inout b: f32[m, n], k: i32) {
	twice(a, k);
	smooth(b, 2);
}
kernel twice(inout a: f32[n, m], k: i32) {
	smooth(a, k % 3);
	smooth(a, 1);
}
// Ranges that data decide, and bodies within a radius: the compiler makes statements of texts there, with these names.
kernel spread(row: i32[m+1], col: i32[k], w: f32[m], inout y: f32[n]) {
	scatter y[col[e]] += w[r] for r in 0..m, e in row[r]..row[r+1];
}
kernel spread_by(row: i32[n+1], col: i32[k], w: f32[n], inout y: f32[m]) {
	here: spread(row, col, w, y);
}
kernel near(x: f32[n], y: f32[n], q: f32[n], out z: f32[n]) {
	require n < 700;
	pairs z[i] = sum[j](q[j]) within 1.5 of (x, y) wrap (64, 4);
}
kernel exchanged(y: f32[n], x: f32[n], q: f32[n], out z: f32[n]) {
	near(y, x, q, z);
}
kernel bodies(px: f32[k], py: f32[k], w: f32[k], out z: f32[k]) {
	near(px, py, w, z);
}
// What a call writes is no longer what a condition said of it.
kernel more(inout t: i64) {
	map t = t + 500000;
}
kernel guarded(x: f32[n], inout s: i64, inout y: f32[n]) {
	if s >= 0 && s < n {
		more(s);
		gather y[i] = x[s];
	}
}
kernel inside(x: f32[n], inout t: i64, inout y: f32[n]) {
	if t >= 0 && t < n {
		map t = t + 500000;
		gather y[i] = x[t];
	}
}
kernel guarded_inside(x: f32[n], inout s: i64, inout y: f32[n]) {
	inside(x, s, y);
}
// A size of a call is not negative: the last one needs m >= 1, which every call of it requires.
kernel upto(size k: i64, out y: f32[k]) {
	map y[i] = 1;
}
kernel ones(x: f32[n], out y: f32[n]) {
	upto(n, y);
}
kernel last(inout y: f32[n+1]) {
	map y[n] = 1;
}
kernel last_of(inout x: f32[m]) {
	last(x);
}
schedule values for cuda { more_times: coarsen 2; }
test of_two {
	values(t = [1, 2], b = 0.5, count = [2, 3, 4], s = [3, 5]) -> off = [0, 2, 5, 9], first = [8, 9, 10, 11], s = [1.125, 1.875];
	shapes(a = [1, 2], b = [1, 2], c = [1, 2, 3, 4], col = [5, 6]) -> p = [1, 2], q = [2, 4], r = [3, 6, 9, 12], v = 6, off = [0, 5, 11];
	chosen(x = [1, 5], key = [7, 3], limit = 0) -> at = [1, 0], count = 1;
	film(a = [[1, 2]], b = [[4], [8]], k = 0) -> a = [[1.25, 1.75]];
	guarded(x = [1, 2], s = 1, y = [0, 0]) -> s = 500001 status index;
	guarded_inside(x = [1, 2], s = 1, y = [0, 0]) -> s = 500001 status index;
	ones(x = [1, 2]) -> y = [1, 1];
	last_of(x = [5, 6]) -> x = [5, 1];
}
