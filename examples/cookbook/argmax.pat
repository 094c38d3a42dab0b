// argmax.pat - the largest value of each row and its place (a classifier's answer).
// Patterns: reduce.
kernel best_of_rows(score: f32[n, m], out best: f32[n], out at: i64[n]) {
	reduce best[i], at[i] = argmax[j](score[i, j]);
}
kernel best_of_all(score: f32[n, m], out best: f32, out row: i64, out column: i64) {
	reduce best, row, column = argmax[i, j](score[i, j]);
}

test known {
	best_of_rows(score = [[1, 5, 2], [7, 7, 3]]) -> best = [5, 7], at = [1, 0];
	best_of_all(score = [[1, 5, 2], [7, 7, 3]]) -> best = 7, row = 1, column = 0;
	best_of_all(n = 0, m = 4) -> best = -inf, row = -1, column = -1;
}
