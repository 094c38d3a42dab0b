// pagerank.pat - how often somebody who follows edges at random is at each vertex of a graph (Page,
// Brin, Motwani and Winograd 1999): of what a vertex has, the part `damping` goes to its
// neighbours in equal shares, and the rest to all vertices.  One without edges out of it gives all
// vertices their shares.

// Edges into vertex v come from from[back[v]] .. from[back[v+1]-1]; begin[v+1] - begin[v] go out of
// it.  A pass is the last one if what it changes adds up to less than eps.
kernel pagerank(back: i32[n+1], from: i32[m], begin: i32[n+1], damping: f32, eps: f64,
                most: i64, out rank: f32[n], out passes: i32, out change: f64)
{
	require n > 0;
	let degree: i32[n];
	let share: f32[n];      // what each neighbour of a vertex gets of it
	let lost: f64;          // of the vertices without edges out of them
	let rest: f32;          // what each vertex gets beside its edges
	let next: f32[n];

	stencil degree[v] = begin[v+1] - begin[v] for v in 0..n;
	map rank[v] = 1 / f32(n);
	map passes = 0, change = inf;
	repeat until change < eps at most most {
		map share[v] = degree[v] > 0 ? damping * rank[v] / f32(degree[v]) : 0;
		reduce lost = sum[v](degree[v] > 0 ? 0 : f64(rank[v]));
		map rest = f32((1 - damping + damping * lost) / n);
		reduce next[v] = rest + sum[e in back[v]..back[v+1]](share[from[e]]);
		reduce change = sum[v](f64(abs(next[v] - rank[v])));
		swap rank, next;
		map passes += 1;
	}
}

test ranks {
	// a cycle, and a star whose middle gives back what it gets
	pagerank(back = [0, 1, 2, 3], from = [2, 0, 1], begin = [0, 1, 2, 3], damping = 0.85,
	         eps = 1e-6, most = 9) -> rank = 0.33333333, passes = 1;
	pagerank(back = [0, 3, 4, 5, 6], from = [1, 2, 3, 0, 0, 0], begin = [0, 3, 4, 5, 6],
	         damping = 0.5, eps = 1e-9, most = 99)
		-> rank = [0.4166667, 0.1944444, 0.1944444, 0.1944444] within 1e-5;
	// an edge that is there twice, a self loop, and a vertex without edges
	pagerank(back = [0, 0, 3, 3], from = [0, 0, 1], begin = [0, 2, 3, 3], damping = 0.5,
	         eps = 1e-9, most = 99) -> rank = [0.2, 0.6, 0.2] within 1e-5;
	pagerank(back = [0, 0, 0], m = 0, begin = 0, damping = 0.85, eps = 1e-9, most = 5)
		-> rank = 0.5, passes = 1;
	pagerank(back = [0], m = 0, begin = 0, damping = 0.85, eps = 1e-9, most = 5)
		-> status required;
}
