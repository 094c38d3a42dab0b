// A table of which some rows are kept: those that a tile overwrites all have been read by tiles of
// earlier diagonals.
kernel ring(p: i32[515, 65], out sum: i64) {
	let A: i32[515, 65];
	t: wavefront A[i, j] = (p[i, j] ^ A[i-1, j]) + 3 * A[i-1, j-1] - A[i, j-1] boundary 1;
	reduce sum = sum[i, j](i64(A[i, j]));
}
schedule ring for cuda { t: sweep diagonal; }
