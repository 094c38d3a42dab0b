// Keys are looked up in a tree of nodes with `order` keys each: down a level in a step, to the last child whose key is
// not larger.  At the leaves key[node, i] is the value's; -1 where there is none.
kernel btree(height: i64, key: i32[nodes, order], child: i32[nodes, order], query: i32[q],
             out answer: i32[q]) {
	require nodes >= 1, order >= 1;
	let node: i32[q];
	let at: i64[q];
	map node[i] = 0;
	repeat level < height {
		reduce at[i] = count[k in 0..order](key[node[i], k] <= query[i]);
		gather node[i] = child[node[i], max(at[i] - 1, 0)];
	}
	reduce at[i] = count[k in 0..order](key[node[i], k] <= query[i]);
	map answer[i] = -1;
	gather answer[i] = child[node[i], at[i] - 1]
		where at[i] > 0 && key[node[i], max(at[i] - 1, 0)] == query[i];
}
