// sssp.pat - the shortest ways from a root to all vertices of a graph whose edges have lengths, by
// buckets (delta-stepping, Meyer and Sanders 2003).  A bucket has the vertices whose distances are
// in a range that is delta long.  Its short edges, which may lead back into it, are followed until
// none makes a way shorter; then its long edges are followed, once.

const FAR: i32 = i32.max;

// The edges out of vertex v go to to[begin[v]] .. to[begin[v+1]-1], and are length[e] long, not
// negative.  distance: i32.max where no way leads; none of the others is as long.  nearest:
// i32.max, unless `most` passes were too few.
kernel sssp(begin: i32[n+1], to: i32[m], length: i32[m], root: i64, delta: i32, most: i64,
            out distance: i32[n], out passes: i32, out nearest: i32)
{
	require 0 <= root && root < n, delta > 0;
	let done: i32[n];       // the distance that a vertex had as its short edges were followed;
	                        // a way that is not shorter cannot help
	let low: i64;           // the bucket: from here on,
	let high: i64;          // and before this
	let queue: i32[n];      // whose edges are followed
	let count: i64;
	let short: bool;        // which edges are
	let at: i32[n];         // the distances of the queue

	map distance[v] = FAR, done[v] = FAR;
	map distance[root] = 0;
	map low = 0, high = delta, passes = 0, nearest = 0;

	repeat until nearest == FAR at most most {
		compact queue, count = i32(v) where distance[v] < done[v] && distance[v] < high
			for v in 0..n;
		map short = count > 0;
		if count == 0 {
			compact queue, count = i32(v) where low <= distance[v] && distance[v] < high
				for v in 0..n;
		}
		gather at[f] = distance[queue[f]] for f in 0..count;
		scatter done[queue[f]] min= at[f] for f in 0..count;
		scatter distance[to[e]] min= at[f] + length[e]
			where (length[e] < delta) == short && at[f] + length[e] < done[to[e]]
			for f in 0..count, e in begin[queue[f]]..begin[queue[f]+1];
		if !short {
			reduce nearest = min[v](distance[v] < done[v] ? distance[v] : FAR);
			map low = nearest / delta * i64(delta);
			map high = low + delta;
		}
		map passes += 1;
	}
}

test by_length {
	// a self loop, edges that are there twice, a vertex without edges
	sssp(begin = [0, 4, 6, 6, 6, 7], to = [0, 1, 1, 2, 0, 2, 4],
	     length = [5, 7, 3, 20, 3, 4, 1], root = 0, delta = 5, most = 9)
		-> distance = [0, 3, 7, i32.max, i32.max], passes = 5, nearest = i32.max;
	// a star, from a tip
	sssp(begin = [0, 3, 4, 5, 6], to = [1, 2, 3, 0, 0, 0], length = [1, 10, 100, 1, 10, 100],
	     root = 3, delta = 4, most = 20) -> distance = [100, 101, 110, 0], nearest = i32.max;
	// a vertex whose distance falls while it is in the bucket, and edges of length 0
	sssp(begin = [0, 2, 3, 4, 5], to = [1, 2, 3, 1, 3], length = [4, 1, 0, 1, 0],
	     root = 0, delta = 5, most = 9) -> distance = [0, 2, 1, 2], nearest = i32.max;
	sssp(begin = [0, 1, 1], to = [1], length = [3], root = 0, delta = 5, most = 1)
		-> nearest = 0;
	sssp(begin = [0, 0, 0], m = 0, root = 1, delta = 1, most = 9)
		-> distance = [i32.max, 0], passes = 2, nearest = i32.max;
	sssp(begin = [0], m = 0, root = 0, delta = 1, most = 9) -> status required;
}
