// Wavefronts by strips and by anti-diagonals of tiles: a table alone, two together, rows that wait
// for their right.
kernel strips(p: i32[m, n], out H: i32[m, n]) {
	q: wavefront H[i, j] = max(max(H[i, j-1] - 1, H[i-1, j] - 2), H[i-1, j-1] + p[i, j])
		boundary (i32(i) - 3 * i32(j));
}
kernel tiles(p: i32[m, n], inout A: i32[m, n]) {
	t: wavefront A[i, j] = p[i, j] + A[i-1, j+1] - A[i, j-1] + A[i+1, j]
		boundary (i32(i) + 2 * i32(j));
}
schedule tiles for cuda { t: sweep diagonal; }
