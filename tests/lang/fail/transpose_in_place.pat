kernel f(inout A: f32[n, n]) {
	transpose A[j, i] = A[i, j];
}
