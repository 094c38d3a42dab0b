// Tiles whose rows are scans, behind rows that wait for what is above and to the right.
kernel hybrid(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j+1] - 2 * a[i, j-1] boundary 3;
}
schedule hybrid for cuda { sweep hybrid; }
