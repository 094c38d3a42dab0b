// What is written in some cells only may be `out`, unless its other cells are read.
kernel ways(x: i32[m, n], inout H: i32[m, n], out way: u8[m, n]) {
	wavefront H[i, j] = max(H[i-1, j], H[i, j-1]) + x[i, j], way[i, j] = H[i-1, j] > H[i, j-1] ? 1 : 2
		for i in 1..m, j in 1..n;
}
kernel masked(x: i32[m, n], inout H: i32[m, n], out way: i32[m, n]) {
	wavefront H[i, j] = H[i-1, j] + x[i, j], way[i, j] = 2 * H[i, j] boundary 0 where x[i, j] > 0;
}
kernel shifted(x: i32[m, n], out A: i32[m, n], inout B: i32[m+1, n]) {
	wavefront A[i, j] = A[i-1, j] + x[i, j], B[i+1, j] = A[i, j] + B[i, j] boundary 0;
}
test cells {
	ways(x = [[1, 1], [1, 1]], H = [[0, 3], [5, 0]], way = 7) -> H = [[0, 3], [5, 6]], way = [[7, 7], [7, 2]];
	masked(x = [[1, 2], [0, 3]], H = 10, way = 7) -> H = [[1, 2], [10, 5]], way = [[2, 4], [7, 10]];
	shifted(x = [[1], [2]], A = 0, B = [[100], [0], [0]]) -> A = [[1], [3]], B = [[100], [101], [104]];
}
