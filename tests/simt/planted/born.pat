// Reductions folded where the cells of a wavefront are born: by strips, and by the tiles of a row,
// one a diagonal.
kernel best_of(p: i32[m, n], out H: i32[m, n], out best: i32, out row: i64, out column: i64) {
	wavefront H[i, j] = max(max(H[i, j-1] - 1, H[i-1, j] - 2),
		max(H[i-1, j-1] + p[i, j] % 3, 0)) boundary 0;
	reduce best, row, column = argmax[i, j](H[i, j] % 5);
}
kernel tiles(p: i32[m, n], inout A: i32[m, n], out sum: i64) {
	t: wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary (i32(i) + 2 * i32(j));
	reduce sum = sum[i, j](i64(A[i, j]));
}
schedule tiles for cuda { t: sweep diagonal; }
kernel lines(p: i32[m, 5], out last: i32[5], out right: i32[m]) {
	let A: i32[m, 5];
	wavefront A[i, j] = p[i, j] + 2 * A[i-1, j] - A[i, j-1] boundary 1;
	map last[j] = 0 < m ? A[m-1, j] : 0;
	map right[i] = A[i, 4];
}
kernel unstored(p: i32[m, 5], out sum: i64) {
	let A: i32[m, 5];
	wavefront A[i, j] = p[i, j] + 2 * A[i-1, j] - A[i, j-1] boundary 1;
	reduce sum = sum[i, j](i64(A[i, j]));
}
