kernel solved(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] - 2 * a[i, j-1] boundary 3;
}
schedule solved for cuda { sweep rows; }
