kernel part(p: i32[m, n], lo: i32, hi: i32, inout A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] + A[i-1, j+2] boundary 5 for i in i64(lo)..i64(hi);
}
kernel two(p: i32[m, n], lo: i32, hi: i32, inout A: i32[m, n], inout B: i32[m+1, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1],  B[i+1, j] = A[i, j] + B[i, j] boundary 5 for i in i64(lo)..i64(hi);
}
