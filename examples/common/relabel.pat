// relabel.pat - gives the vertices of a graph new numbers, those of many edges first.  What many
// edges read then lies together, and caches hold it; and the first neighbours of a vertex are those
// that most others have, too.

// Edges out of vertex v go to to[begin[v]] .. to[begin[v+1]-1].  old[p]: which vertex becomes
// number p, that of more edges first, equals in their order; number[v]: the number that v gets.
// new_begin and new_to: the edges by the new numbers; each vertex has its neighbours in order.
kernel relabel(begin: i32[n+1], to: i32[m], out old: i32[n], out number: i32[n],
               out new_begin: i32[n+1], out new_to: i32[m])
{
	let degree: i32[n];
	let many: i32[n+1];     // degree, and 0

	stencil degree[v] = begin[v+1] - begin[v] for v in 0..n;
	map old[v] = i32(v);
	sort degree with old by > stable;
	scatter number[old[p]] = i32(p) unique;

	map many[n] = 0;
	map many[p] = degree[p] for p in 0..n;
	scan new_begin[p] = sum(many[p]) exclusive;
	gather new_to[e] = number[to[begin[old[p]] + e - new_begin[p]]]
		for p in 0..n, e in new_begin[p]..new_begin[p+1];
	segsort new_to segments new_begin;
}

test by_degree {
	// self loops, edges that are there twice, a vertex without edges
	relabel(begin = [0, 2, 5, 5, 6], to = [0, 1, 3, 0, 3, 1])
		-> old = [1, 0, 3, 2], number = [1, 0, 3, 2],
		   new_begin = [0, 3, 5, 6, 6], new_to = [1, 2, 2, 0, 1, 0];
	// a star whose middle is the last vertex
	relabel(begin = [0, 1, 2, 3, 6], to = [3, 3, 3, 2, 0, 1])
		-> old = [3, 0, 1, 2], new_begin = [0, 3, 4, 5, 6], new_to = [1, 2, 3, 0, 0, 0];
	relabel(begin = [0, 0, 0], m = 0) -> old = [0, 1], number = [0, 1], new_begin = 0;
	relabel(begin = [0], m = 0) -> new_begin = [0];
}
