kernel straight(A: f32[n, m], out B: f32[n, m]) {
	transpose B[i, j] = 2 * A[i, j];
}
kernel shifted(A: f32[n, m], out B: f32[m, n]) {
	transpose B[j, i] = A[i, j+1] for j in 0..m-1, i in 0..n;
}
kernel diagonal(A: f32[n, n], out B: f32[n, n]) {
	transpose B[j, i] = A[i, j] + A[i, i];
}
kernel computed(A: f32[n, m], at: i32[n], out B: f32[m, n]) {
	transpose B[j, i] = A[at[i], j];
}
kernel folded(A: f32[n, m], out B: f32[m, n]) {
	transpose B[j, i] = A[i, j] + sum[k](A[i, k]);
}
kernel stepped(A: f32[2*n, m], out B: f32[m, n]) {
	transpose B[j, i] = A[2*i, j];
}
