// knn.pat - the k points nearest to each of many queries (classification; Rodinia's nn has one
// query).  Patterns: matmul, segsort, gather.
kernel knn(query: f32[q, d], point: f32[n, d], out at: i32[q, n], out distance: f32[q, k]) {
	require k <= n;
	let squares: f32[q, n];
	matmul squares[i, j] = sum[c]((query[i, c] - point[j, c]) * (query[i, c] - point[j, c]));
	segsort squares stable first k into at;
	gather distance[i, r] = sqrt(squares[i, at[i, r]]);
}

test known {
	knn(query = [[0, 0], [5, 5]], point = [[3, 4], [5, 6], [0, 1]], k = 2)
		-> distance = [[1, 5], [1, 2.236068]] within 1e-6;
}
