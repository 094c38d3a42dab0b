// In place cells go to and fro between two: nothing else is a permutation that pairs can make.
kernel cycle(inout A: f32[n, n, n]) {
	transpose A[k, i, j] = A[i, j, k];
}
kernel ranges(inout A: f32[n, n]) {
	transpose A[j, i] = A[i, j] for i in 0..n-1, j in 1..n;
}
kernel several(inout A: f32[n, n], inout B: f32[n, n]) {
	transpose A[j, i] = A[i, j], B[j, i] = B[i, j];
}
kernel beside(inout A: f32[n, n]) {
	transpose A[j, i] = A[i, j] + A[i, 0] where n > 0;
}
