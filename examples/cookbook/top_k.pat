// top_k.pat - the k best of each row and their places (recommendations, beam search).
// Patterns: segsort, gather.
kernel top_k(score: f32[n, m], inout at: i32[n, m], out best: f32[n, k]) {
	require k <= m;
	segsort score by > stable first k into at;
	gather best[i, r] = score[i, at[i, r]];
}

test known {
	top_k(score = [[1, 5, 2, 9], [7, 7, 3, 8]], at = 0, k = 2)
		-> at = [[3, 1, 0, 0], [3, 0, 0, 0]], best = [[9, 5], [8, 7]];
}
