// triangles.pat - how many triangles a graph has, and how many each vertex begins (graph
// analysis).  Patterns: gather and scatter over ranges that data decide, reduce.

// Edges lead from vertex v to greater ones in order, to[begin[v]] .. to[begin[v+1]-1].
kernel triangles(begin: i32[n+1], to: i32[m], out count: i32[n], out total: i64) {
	let edge: i64[m];
	gather edge[e] = v * n + to[e] for v in 0..n, e in begin[v]..begin[v+1];
	map count[v] = 0;
	scatter count[v] += 1 where search(edge, v * n + to[f]) < search(edge, v * n + to[f], upper)
		for v in 0..n, e in begin[v]..begin[v+1], f in begin[to[e]]..begin[to[e]+1];
	reduce total = sum[v](i64(count[v]));
}

test known {
	triangles(begin = [0, 3, 5, 6, 6], to = [1, 2, 3, 2, 3, 3]) -> count = [3, 1, 0, 0],
		total = 4;
	triangles(begin = [0, 2, 2, 2], to = [1, 2]) -> total = 0;
}
