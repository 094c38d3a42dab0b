kernel sat(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel sw(q: i32[m], d: i32[n], inout H: i32[m, n]) {
	wavefront H[i, j] = (H[i,j-1] ○ -2) ◇ (H[i-1,j] ○ -2) ◇ (H[i-1,j-1] ○ (q[i] == d[j] ? 3 : -3)) ◇ 0
	          using ○ = +, ◇ = max  boundary 0;
}
const LOW: i32 = -100000;
kernel gotoh(s: i32[m, n], open: i32, ext: i32, out E: i32[m,n], out F: i32[m, n], out H: i32[m, n]) {
	wavefront E[i,j] = E[i,j-1] - ext ◇ H[i,j-1] - open,
	          F[i,j] = F[i-1,j] - ext ◇ H[i-1,j] - open,
	          H[i,j] = H[i-1,j-1] + s[i,j] ◇ E[i,j] ◇ F[i,j] ◇ 0
	          using ◇ = max  boundary (LOW, LOW, 0);
}
kernel sor(inout A: f64[m, n]) {
	wavefront A[i,j] = (A[i,j] + A[i,j-1] + A[i-1,j] + A[i+1,j] + A[i,j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}
kernel nw(q: i32[m], d: i32[n], gap: i32, out H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - gap, H[i, j-1] - gap), H[i-1, j-1] + (q[i] == d[j] ? 1 : -1))
		boundary (-gap * (i32(i) + i32(j) + 2));
}
kernel knight(p: i64[m, n], inout A: i64[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j+1] * 3 + A[i-2, j] - A[i, j+1] boundary (i + 2 * j);
}
kernel back(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i+1, j] - 2 * A[i, j+1] boundary (i < 0 ? 7 : 9) from right from below;
}
kernel cube(p: i32[l, m, n], out A: i32[l, m, n]) {
	wavefront A[k, i, j] = p[k, i, j] + A[k-1, i, j+1] + A[k, i-1, j] - A[k, i, j-1] boundary 1;
}
kernel batch(p: i32[l, m, n], out A: i32[l, m, n]) {
	wavefront A[k, i, j] = p[k, i, j] + A[k, i-1, j] - A[k, i, j-1] boundary 1;
}
kernel guarded(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + (i > 0 ? A[i-1, j] : 0) - (j > 0 ? A[i, j-1] : 3);
}
