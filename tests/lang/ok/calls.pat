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
schedule values for cuda { more_times: coarsen 2; }
test of_two {
	values(t = [1, 2], b = 0.5, count = [2, 3, 4], s = [3, 5]) -> off = [0, 2, 5, 9], first = [8, 9, 10, 11], s = [1.125, 1.875];
	shapes(a = [1, 2], b = [1, 2], c = [1, 2, 3, 4], col = [5, 6]) -> p = [1, 2], q = [2, 4], r = [3, 6, 9, 12], v = 6, off = [0, 5, 11];
	chosen(x = [1, 5], key = [7, 3], limit = 0) -> at = [1, 0], count = 1;
	film(a = [[1, 2]], b = [[4], [8]], k = 0) -> a = [[1.25, 1.75]];
}
