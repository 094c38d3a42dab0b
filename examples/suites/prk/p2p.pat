// A pipeline: every cell from those above, beside and between; its last cell goes to its first, negated
kernel p2p(iterations: i64, inout grid: f64[m, n]) {
	require m >= 1, n >= 1;
	repeat t < iterations {
		wavefront grid[i, j] = grid[i-1, j] + grid[i, j-1] - grid[i-1, j-1]
			for i in 1..m, j in 1..n;
		map grid[0, 0] = -grid[m-1, n-1];
	}
}
