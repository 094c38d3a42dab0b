// bfs.pat - how many edges away from a root every vertex of a graph is, level by level, in the
// direction that is cheaper (Beamer, Asanovic and Patterson 2012).  Top down, the edges of a
// level's vertices are followed; bottom up, each vertex that has no level yet looks for a
// neighbour that has the last one.

// So many neighbours, 32 bytes, a vertex looks at before the others.  A fold does not end at the
// first term that decides it; two statements make up for most of that.
const FEW: i32 = 8;

// Edges out of vertex v go to to[begin[v]] .. to[begin[v+1]-1], edges into it come from
// from[back[v]] .. from[back[v+1]-1]; in an undirected graph both are the same arrays.  level: -1
// where no path leads.  work[k]: the edges out of level k's vertices; if there are more than
// vertices, level k+1 is found bottom up.  levels: so many are known.  left: the vertices of the
// last level, or 0 if no more than `most` were needed.
kernel bfs(begin: i32[n+1], to: i32[m], back: i32[n+1], from: i32[m], root: i64, out level: i32[n],
           out work: i32[most], out levels: i32, out left: i64)
{
	require 0 <= root && root < n;
	let queue: i32[n];      // the vertices of the last level
	let edges: i32;         // out of these
	let last: bool[n];      // is one of them
	let next: i32[n];       // the vertices of the next level
	let nexts: i64;
	let late: i32[n];       // vertices that look at all their neighbours
	let lates: i64;
	let first: i32[n];      // the first edge that leads to a vertex from the level before

	map level[v] = -1, first[v] = i32.max;
	map level[root] = 0, queue[0] = i32(root), left = 1, levels = 0;
	map work[k] = 0;

	repeat until left == 0 at most most {
		scatter work[levels] += begin[queue[f]+1] - begin[queue[f]] for f in 0..left;
		reduce edges = sum[k in levels..levels+1](work[k]);
		if edges > n {
			map last[v] = level[v] == levels;
			reduce level[v] =
				any[e in back[v]..min(i64(back[v]) + FEW, back[v+1])](last[from[e]])
				? levels + 1 : -1 where level[v] < 0;
			compact late, lates = i32(v) where level[v] < 0 && back[v+1] - back[v] > FEW
				for v in 0..n;
			scatter level[late[f]] max= levels + 1 where last[from[e]]
				for f in 0..lates, e in i64(back[late[f]]) + FEW..back[late[f]+1];
			compact next, nexts = i32(v) where level[v] == levels + 1 for v in 0..n;
		} else {
			scatter first[to[e]] min= i32(e) where level[to[e]] < 0
				for f in 0..left, e in begin[queue[f]]..begin[queue[f]+1];
			compact next, nexts = to[e] where first[to[e]] == e
				for f in 0..left, e in begin[queue[f]]..begin[queue[f]+1];
			scatter level[next[f]] max= levels + 1 for f in 0..nexts;
		}
		swap queue, next;
		map left = nexts, levels += 1;
	}
}

test by_levels {
	// self loops, edges that are there twice, a vertex without edges
	bfs(begin = [0, 4, 7, 8, 8, 10], to = [0, 0, 1, 1, 0, 0, 2, 1, 4, 4],
	    back = [0, 4, 7, 8, 8, 10], from = [0, 0, 1, 1, 0, 0, 2, 1, 4, 4], root = 0, most = 3)
		-> level = [0, 1, 2, -1, -1], work = [4, 3, 1], levels = 3, left = 0;
	bfs(begin = [0, 0, 0], m = 0, back = [0, 0, 0], root = 1, most = 1)
		-> level = [-1, 0], work = [0], levels = 1, left = 0;
	// stars, from the middle and from a tip
	bfs(begin = [0, 3, 4, 5, 6], to = [1, 2, 3, 0, 0, 0],
	    back = [0, 3, 4, 5, 6], from = [1, 2, 3, 0, 0, 0], root = 0, most = 2)
		-> level = [0, 1, 1, 1], work = [3, 3], levels = 2, left = 0;
	bfs(begin = [0, 3, 4, 5, 6], to = [1, 2, 3, 0, 0, 0],
	    back = [0, 3, 4, 5, 6], from = [1, 2, 3, 0, 0, 0], root = 2, most = 3)
		-> level = [1, 2, 0, 2], work = [1, 3, 2], levels = 3, left = 0;
	// bottom up: one vertex has the root among its first neighbours, one after eight self loops
	bfs(begin = [0, 4, 7, 16], to = [1, 1, 1, 2, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 0],
	    back = [0, 4, 7, 16], from = [1, 1, 1, 2, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 0],
	    root = 0, most = 2)
		-> level = [0, 1, 1], work = [4, 12], levels = 2, left = 0;
	// edges of one direction, and fewer levels than there are
	bfs(begin = [0, 1, 2, 2], to = [1, 2], back = [0, 0, 1, 2], from = [0, 1],
	    root = 0, most = 3)
		-> level = [0, 1, 2], left = 0;
	bfs(begin = [0, 1, 2, 2], to = [1, 2], back = [0, 0, 1, 2], from = [0, 1],
	    root = 0, most = 1)
		-> level = [0, 1, -1], levels = 1, left = 1;
	bfs(begin = [0], m = 0, back = [0], root = 0, most = 1) -> status required;
}
