// Walks whose passes are scheduled: the same results and statuses as those of a thread a walk.
struct Node { key: i32, skip: i32, weight: f32 }
struct Hit { at: i32, t: f32 }
// a list, whose end is -1
fn steps(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var k: i32 = 0;
	while at >= 0 at most n { at = next[at]; k = k + 1; }
	return k;
}
// It returns from within, goes on, leaves its loop, calls another function, and has loops inside.
fn nearest(node: Node[k], next: i32[n], r: f32) -> Hit {
	if r < -0.9 { return Hit(-7, r); }
	var best: Hit = Hit(-1, inf);
	var at: i32 = 0;
	let far = r + 1;
	while at >= 0 at most (2 * k + 3) {
		let here = node[at];
		at = here.skip;
		if here.weight < r - far / 2 { continue; }
		if abs(here.weight - r) < best.t { best = Hit(at, abs(here.weight - r)); }
		if best.t < 0.001 { return best; }
		if here.key > 3 { break; }
		for j in 0..3 {
			if here.key == j { break; }
			if f32(j) > 9 * far { return Hit(-2, best.t); }
			best.at += steps(next, here.key);
		}
		var turn = here.key;
		while turn > 0 at most 20 { turn = turn / 2; if turn == 1 { continue; } }
	}
	best.at += 1000;
	return best;
}
// limits without arrays, and a while without one
fn collatz(n: i64) -> i32 {
	var k: i64 = n;
	var count: i32 = 0;
	while k > 1 at most 50 {
		while k % 2 == 0 && k > 1 { k = k / 2; count += 1; }
		if k > 1 { k = 3 * k + 1; count += 1; }
	}
	return count;
}

kernel sched_refill(next: i32[n], from: i32[m], inout y: i32[m]) {
	walked: map y[i] = steps(next, from[i]);
}
kernel sched_packet(next: i32[n], from: i32[m], inout y: i32[m]) {
	walked: map y[i] = steps(next, from[i]);
}
kernel sched_struct(node: Node[k], next: i32[n], r: f32[m], inout h: Hit[m], inout t: f32[m]) {
	one: map h[i] = nearest(node, next, r[i]);
	two: map t[i] = 2 * nearest(node, next, r[i] + 1).t - f32(i);
}
kernel sched_plane(next: i32[n], from: i32[h, w], inout y: i32[h, w], inout z: i32[h, w]) {
	one: map y[i, j] = steps(next, from[i, j]) + y[i, j] for i in 1..h, j in 0..w - 1 where from[i, j] % 3 != 1;
	two: map z[i, j] = -steps(next, i32(i) - from[i, j]) where from[i, j] > 2;
}
kernel sched_loop(next: i32[n], passes: i64, inout from: i32[m]) {
	repeat p < passes { walked: map from[i] = steps(next, from[i] + i32(p)); }
}
kernel sched_gather(next: i32[n], from: i32[m], inout y: i32[m], inout z: i32[m]) {
	one: gather y[i] = steps(next, from[m - 1 - i]) drop;
	two: gather z[i] = max(i32(i), steps(next, -1 - 0 * from[m - 1 - i])) trusted;
}
kernel sched_numbers(k: i64[n], inout y: i32[n]) {
	walked: map y[i] = collatz(k[i] % 1000 + i);
}
schedule sched_refill for cuda { walked: walk refill; }
schedule sched_refill for hip { walked: walk refill; }
schedule sched_packet for cuda { walked: walk packet; }
schedule sched_packet for hip { walked: walk packet; }
schedule sched_struct for cuda { one: walk packet; two: walk refill, no fuse; }
schedule sched_struct for hip { one: walk refill, no fuse; two: walk packet; }
schedule sched_plane for cuda { one: walk refill; two: walk packet; }
schedule sched_plane for hip { one: walk packet; two: walk refill; }
schedule sched_loop for cuda { walked: walk refill; }
schedule sched_loop for hip { walked: walk packet; }
schedule sched_gather for cuda { one: walk refill, no fuse; two: walk packet, no fuse; }
schedule sched_gather for hip { one: walk packet, no fuse; two: walk refill, no fuse; }
schedule sched_numbers for cuda { walked: walk refill; }
schedule sched_numbers for hip { walked: walk refill; }

test walks_of_lists {
	sched_refill(next = [1, 2, -1, 0], from = [0, 3, -5], y = 7) -> y = [3, 4, 0];
	sched_refill(next = [1, 9, -1, 0], from = [0, 2, 1], y = 7) -> y = [7, 1, 7] status index;
	sched_refill(next = [1, 0, -1, 0], from = [0, 2, -1], y = 7) -> y = [7, 1, 0] status endless;
	sched_packet(next = [1, 2, -1, 0], from = [0, 3, -5], y = 7) -> y = [3, 4, 0];
	sched_packet(next = [1, 0, -1, 9], from = [0, 2, 3], y = 7) -> y = [7, 1, 7] status endless;
	sched_gather(next = [1, 0, 9], from = [0, -1, 2], y = 7, z = 8) -> y = [7, 0, 7], z = [0, 1, 2] status endless;
	sched_plane(next = [-1], from = [[0, 0], [3, 0]], y = 5, z = 6) -> y = [[5, 5], [5, 5]], z = [[6, 6], [0, 6]] status index;
}
