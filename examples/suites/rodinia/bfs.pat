// How many edges each node is away from the source, -1 where no way leads: a front of nodes goes on by an edge in a pass.
// The edges of node i are edge[first[i]] .. edge[first[i+1] - 1].
kernel bfs(source: i32, first: i32[n+1], edge: i32[m], out cost: i32[n]) {
	require 0 <= source && source < n;
	let from: i64[m];
	let front: bool[n];
	let reached: bool[n];
	let open: bool;
	let level: i32;
	map from[e] = search(first, i32(e), upper) - 1;
	map cost[i] = i == source ? 0 : -1;
	map front[i] = i == source;
	map level = 0;
	repeat until !open at most n {
		map reached[i] = false;
		scatter reached[edge[e]] any= front[from[e]];
		map front[i] = reached[i] && cost[i] < 0;
		map level += 1;
		map cost[i] = level where front[i];
		reduce open = any[i](front[i]);
	}
}
