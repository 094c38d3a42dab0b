// Needleman and Wunsch: the score of the best alignment of all beginnings of two sequences; gaps cost penalty each
kernel nw(penalty: i32, reference: i32[n, n], out itemsets: i32[n, n]) {
	wavefront itemsets[i, j] = i == 0 ? -i32(j) * penalty : j == 0 ? -i32(i) * penalty
		: max(itemsets[i-1, j-1] + reference[i, j], itemsets[i, j-1] - penalty,
			itemsets[i-1, j] - penalty) boundary 0;
}
