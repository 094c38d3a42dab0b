// tree.pat - a binary tree over points of space, all of whose nodes are found at once: after
// T. Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees", 2012.
//
// Points are sorted by their Morton keys.  A node is a run of neighbours in that order whose keys
// begin with the same bits, and its children are the runs in which the next bit is 0 and 1.
//
// n points have n - 1 inner nodes, numbered from 0, the root; point k is leaf n - 1 + k.

// Where the run is, the last point of its first child, and how many bits its keys share.
struct Span { first, last, split: i32, bits: i32 }

// The lowest 21 bits of x, two zeros before each.
fn spread(x: u64) -> u64 {
	var v: u64 = x & 0x1fffff;
	v = (v | v << 32) & 0x1f00000000ffff;
	v = (v | v << 16) & 0x1f0000ff0000ff;
	v = (v | v << 8) & 0x100f00f00f00f00f;
	v = (v | v << 4) & 0x10c30c30c30c30c3;
	return (v | v << 2) & 0x1249249249249249;
}

// Coordinates from 0 to 1, those beyond are taken as the nearest.
fn morton(x: f32, y: f32, z: f32) -> u64 {
	let most: f32 = 2097151;
	return spread(u64(clamp(x * most, 0, most))) << 2
		| spread(u64(clamp(y * most, 0, most))) << 1
		| spread(u64(clamp(z * most, 0, most)));
}

// How many bits the keys of two points share; of equal keys their places go on, so that no two
// points have the same.  -1: there is no point k.
fn shared(key: u64[n], i: i64, k: i64) -> i32 {
	if k < 0 || k >= n { return -1; }
	let differ = key[i] ^ key[k];
	return differ != 0 ? i32(clz(differ)) : 64 + i32(clz(u64(i ^ k)));
}

// Inner node i has point i at one end, and goes the way in which more bits are shared.
fn span_of(key: u64[n], i: i64) -> Span {
	let way: i64 = shared(key, i, i + 1) > shared(key, i, i - 1) ? 1 : -1;
	let outside: i32 = shared(key, i, i - way);
	// the other end: past it fewer bits are shared
	var most: i64 = 2;
	while shared(key, i, i + most * way) > outside at most 64 { most = 2 * most; }
	var length: i64 = 0;
	var step: i64 = most / 2;
	while step >= 1 at most 64 {
		if shared(key, i, i + (length + step) * way) > outside { length = length + step; }
		step = step / 2;
	}
	let end: i64 = i + length * way;
	let bits: i32 = shared(key, i, end);
	// where the next bit changes
	var split: i64 = 0;
	step = length;
	while step > 1 at most 64 {
		step = (step + 1) / 2;
		if shared(key, i, i + (split + step) * way) > bits { split = split + step; }
	}
	return Span(i32(min(i, end)), i32(max(i, end)), i32(i + split * way + min(way, 0)), bits);
}

fn left_child(s: Span, n: i64) -> i32 = s.split == s.first ? i32(n) - 1 + s.split : s.split;

// The node that comes after every node whose last point is k, in depth-first order: the second
// child of the node that parts k from k + 1.  -1: there is none.
fn after_of(key: u64[n], k: i64) -> i32 {
	if k == n - 1 { return -1; }
	return i32(shared(key, k + 1, k + 2) > shared(key, k, k + 1) ? k + 1 : n + k);
}

// Spans of the inner nodes, of sorted keys; the last one is empty.
kernel tree_spans(key: u64[n], out span: Span[n])
{
	map span[i] = Span(0, 0, 0, 0);
	map span[i] = span_of(key, i) for i in 0..n - 1;
}
// And what comes after the nodes that end at each point.  A walk through the tree needs no stack:
// from a node it goes to its left child, or after it.
kernel tree_build(key: u64[n], out span: Span[n], out after: i32[n])
{
	tree_spans(key, span);
	map after[k] = after_of(key, k);
}

// Depth first, a node comes before all others of its run, and all runs that begin later come after
// those: by the first point, the longest run first.  In that order a node of m points has 2m - 1
// nodes, itself and those after it.
fn place_of(span: Span[n], i: i64) -> u64 {
	if i < n - 1 { return u64(span[i].first) << 32 | u64(i32(n) - span[i].last); }
	return u64(i - (n - 1)) << 32 | u64(2 * n - 1 - i);
}
fn first_at(place: u64) -> i32 = i32(place >> 32);
fn points_at(place: u64, n: i64) -> i32 = i32(n) - i32(place & 0xffffffff) - first_at(place) + 1;
// All nodes, leaves too, in that order.
kernel tree_places(key: u64[n], out place: u64[2 * n - 1])
{
	let span: Span[n];
	tree_spans(key, span);
	map place[i] = place_of(span, i);
	sort place;
}

kernel keys(x: f32[n], y: f32[n], z: f32[n], out key: u64[n]) {
	map key[i] = morton(x[i], y[i], z[i]);
}
test trees {
	keys(x = [0, 1, 0, 0.5], y = [0, 0, 1, 0], z = [0, 0, 0, 1])
		-> key = [0, 5270498306774157604, 2635249153387078802, 1976436865040309101];
	// a key twice: their places say which is first
	tree_build(key = [1, 2, 4, 4, 5, 19])
		-> span = [Span(0, 5, 4, 59), Span(0, 1, 0, 62), Span(2, 4, 3, 63),
			Span(2, 3, 2, 127), Span(0, 4, 1, 61), Span(0, 0, 0, 0)],
		   after = [6, 2, 8, 9, 10, -1];
	tree_places(key = [1, 2, 4]) -> place = [1, 2, 3, 0x100000002, 0x200000001];
	tree_build(key = [7]) -> span = [Span(0, 0, 0, 0)], after = [-1];
}
