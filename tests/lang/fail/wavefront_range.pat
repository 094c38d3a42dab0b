kernel far(at: i32[k], length: i32[k], inout A: i32[k, m, n]) {
	wavefront A[b, i, j] = A[b, i-1, j] + 1 boundary 0 for b in 0..k, i in 0..m, j in 0..length[at[b]];
}
kernel leaves(length: i32[k], inout A: i32[k, m, n]) {
	wavefront A[b, i, j] = A[b, i-1, j] + 1 boundary 0 for b in 0..k, i in 0..m, j in 0..length[b+1];
}
kernel short_of(length: i32[k], out A: i32[k, m, n]) {
	wavefront A[b, i, j] = A[b, i-1, j+1] + 1 boundary 0 for b in 0..k, i in 0..m, j in 0..length[b];
}
kernel itself(inout A: i32[k, m, n]) {
	wavefront A[b, i, j] = A[b, i-1, j] + 1 boundary 0 for b in 0..k, i in 0..m, j in 0..i64(A[b, 0, 0]);
}
