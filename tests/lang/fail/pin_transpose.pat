kernel f(A: f32[n, m], out B: f32[m, n], out C: f32[m, n]) {
	t: transpose B[j, i] = A[i, j];
	u: transpose C[j, i] = A[i, j] where i < j;
}
schedule f for cuda { t: tile 48 x 64; }
schedule f for cuda { u: tile 32 x 32; }
kernel g(inout A: f32[n, n]) {
	t: transpose A[j, i] = A[i, j];
}
schedule g for cuda { t: tile 32 x 64; }
