// components.pat - which vertices of a graph are connected: each vertex gets the smallest number
// that a path leads to (FastSV, Zhang, Azad and Hu 2020).  Every vertex points to one that is not
// larger; one that points to itself is the root of a tree.  A pass lets what a vertex points to,
// and the vertex itself, point to the least that is two steps above a neighbour, and halves all
// ways.

// The neighbours of vertex v are to[begin[v]] .. to[begin[v+1]-1]; every edge is there in both
// directions.  parts: so many there are.  changed: 0, or else 64 passes were too few.
kernel components(begin: i32[n+1], to: i32[m], out part: i32[n], out parts: i64, out passes: i32,
                  out changed: i64)
{
	let above: i32[n];      // two steps above a vertex
	let before: i32[n];     // part, as a pass begins
	let least: i32[n];      // above, of the neighbours
	let next: i32[n];       // above, of the next pass

	map part[v] = i32(v), above[v] = i32(v);
	map passes = 0;
	repeat until changed == 0 at most 64 {
		reduce least[v] = min[e in begin[v]..begin[v+1]](above[to[e]]);
		map before[v] = part[v];
		scatter part[before[v]] min= least[v] where least[v] < before[v];
		map part[v] = min(part[v], least[v], above[v]);
		gather next[v] = part[part[v]];
		reduce changed = count[v](next[v] != above[v]);
		swap above, next;
		map passes += 1;
	}
	reduce parts = count[v](part[v] == v);
}

test by_parts {
	// self loops, edges that are there twice, a vertex without edges
	components(begin = [0, 2, 5, 5, 6, 8], to = [0, 1, 0, 3, 3, 1, 4, 4])
		-> part = [0, 0, 2, 0, 4], parts = 3;
	// a star whose middle is the last vertex
	components(begin = [0, 1, 2, 3, 6], to = [3, 3, 3, 0, 1, 2]) -> part = 0, parts = 1;
	// a path whose numbers go up and down
	components(begin = [0, 1, 3, 5, 7, 8, 8, 9, 10], to = [3, 4, 2, 3, 1, 0, 2, 1, 7, 6])
		-> part = [0, 0, 0, 0, 0, 5, 6, 6], parts = 3;
	components(begin = [0, 0, 0], m = 0) -> part = [0, 1], parts = 2;
	components(begin = [0], m = 0) -> parts = 0;
}
