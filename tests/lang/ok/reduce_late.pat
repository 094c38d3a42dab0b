// Totals of ranges that scalars of the device bound.
struct Best { key: f32, at: i32 }
op better(a: Best, b: Best) -> Best = a.key < b.key || (a.key == b.key && a.at < b.at) ? a : b identity Best(inf, 2147483647), associative, commutative;
op chained(a: i32, b: i32) -> i32 = b == 0 ? a : b identity 0, associative;

kernel counted(x: f32[n], k: i32[n], out count: i64, out first: i32, out all: f64, out most: f32, out at: i64, out low: i32, out high: i64, out best: Best, out last: i32) {
	reduce count = count[i](x[i] > 0);
	reduce first = sum[i](k[i] > 2 ? 1 : 0);
	reduce all = sum[f in 0..count](f64(x[f])) + 1;
	reduce most, at = argmax[f in first..count](x[f]);
	reduce low = min[f in 0..first](k[f]), high = sum[f in 0..first](i64(k[f]) * f);
	reduce best = better[f in 0..first](Best(x[f], k[f]));
	reduce last = chained[f in 0..count](k[f]);
}
kernel far(x: i32[n], w: i32[m], out a: i64, out b: i64, out c: i64, out d: i64) {
	let many: i64;
	let low: i32;
	map many = i64(x[0]) % 300 + 5, low = x[n - 1] % 9 - 4 where n > 0;
	reduce a = sum[f in 0..many](i64(w[f]));
	reduce b = sum[f in low..many where f % 3 != 1](i64(w[f])) drop;
	reduce c = count[f in 0..many](w[f] > 0) drop;
	reduce d = max[f in low..many](f);
}
kernel repeated(x: f32[n], k: i32, inout total: f64, out passes: i32) {
	require n > 0, k >= 0;
	let upto: i64;
	map passes = 0, upto = 0;
	repeat until passes >= k at most 4 {
		map upto = min(upto + 3, n);
		reduce total = total + sum[f in 0..upto](f64(x[f]));
		map passes += 1;
	}
}
test of_ranges {
	counted(x = [1, -1, 4, 2], k = [5, 1, 3, 2]) -> count = 3, first = 2, all = 5, most = 4, at = 2, low = 1, high = 1, last = 3;
	repeated(x = [1, 2, 3, 4, 5], k = 2, total = 1) -> total = 22, passes = 2;
}
