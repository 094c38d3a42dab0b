kernel shifted(x: i32[m, n], out A: i32[m, n], out B: i32[m+1, n]) {
	wavefront A[i, j] = A[i-1, j] + x[i, j], B[i+1, j] = A[i, j] + B[i, j] boundary 0;
}
kernel masked(x: i32[m, n], out A: i32[m, n], out way: i32[m, n]) {
	wavefront way[i, j] = A[i-1, j] + x[i, j], A[i, j] = A[i-1, j] + x[i, j] boundary 0 where x[i, j] > 0;
}
