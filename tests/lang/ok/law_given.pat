/* Operators whose laws hold for the values that occur, and for no others.
 *
 * The segment of a sequence with the greatest sum: of any four numbers the operator has no identity
 * and is not associative, of those that a sequence can have it is.  A sum that saturates is
 * associative without negative numbers. */
struct Segment { sum, best, prefix, suffix: i32 }

op then(p: Segment, q: Segment) -> Segment = Segment(p.sum + q.sum,
	max(p.best, q.best, p.suffix + q.prefix), max(p.prefix, p.sum + q.prefix),
	max(q.suffix, q.sum + p.suffix))
	identity Segment(0, 0, 0, 0), associative
	for v where v.prefix >= 0 && v.prefix >= v.sum && v.suffix >= 0 && v.suffix >= v.sum
		&& v.best >= v.prefix && v.best >= v.suffix;

fn one(x: i16) -> Segment = Segment(x, max(i32(x), 0), max(i32(x), 0), max(i32(x), 0));

kernel segments(x: i16[n], y: i16[m, k], out all: Segment, out row: i32[m], out upto: i32[n]) {
	let now: Segment[n];
	reduce all = then[i](one(x[i]));
	reduce row[i] = then[j](one(y[i, j])).best;
	scan now[i] = then(one(x[i]));
	map upto[i] = now[i].best;
}

struct Best { sum, best: f32 }
op after(p: Best, q: Best) -> Best = Best(p.sum + q.sum, max(p.best, p.sum + q.best))
	identity Best(0, 0), associative for v where v.best >= v.sum && v.best >= 0;

kernel prefix(x: f32[n], out s: f32) {
	reduce s = after[i](Best(x[i], max(x[i], 0))).best;
}

fn is_count(v: i8) -> bool = v >= 0;
op more(a: i8, b: i8) -> i8 = i8(clamp(i16(a) + i16(b), -128, 127))
	identity 0, associative, commutative for v where is_count(v);

kernel votes(who: i32[n], out many: i8[20]) {
	map many[i] = 0;
	scatter many[(who[i] & 1023) % 20] more= 5;
}

test known {
	segments(x = [1, -2, 3, -1, 2, -5, 1], y = [[1, 2], [-1, -2], [-1, 3]]) ->
		all = Segment(-1, 4, 3, 1), row = [3, 0, 3], upto = [1, 1, 3, 3, 4, 4, 4];
	segments(n = 0, x = 0, m = 1, k = 0, y = 0) -> all = Segment(0, 0, 0, 0), row = [0];
	prefix(x = [1, -3, 4, -1]) -> s = 2;
	prefix(x = [-1, -3]) -> s = 0;
	votes(who = 3, n = 30) -> many = [0, 0, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}
