// tables of wavefronts that are folded and, where nothing else wants them, never stored
struct Pair { n: i32, w: f32 }
const LOW: i32 = -1000000;
kernel score(q: u8[m], d: u8[n], out top: i32, out row: i64, out column: i64) {
	let H: i32[m, n];
	wavefront H[i, j] = max(max(H[i, j-1] - 2, H[i-1, j] - 2), max(H[i-1, j-1] + (q[i] % 4 == d[j] % 4 ? 3 : -3), 0)) boundary 0;
	reduce top, row, column = argmax[i, j](H[i, j]);
}
kernel gotoh(q: u8[m], d: u8[n], out way: u8[m, n], out best: i32, out some: i64) {
	let E: i32[m, n];
	let F: i32[m, n];
	let H: i32[m, n];
	wavefront E[i, j] = E[i, j-1] - 1 ◇ H[i, j-1] - 4,
		F[i, j] = F[i-1, j] - 1 ◇ H[i-1, j] - 4,
		H[i, j] = H[i-1, j-1] + (q[i] % 4 == d[j] % 4 ? 3 : -3) ◇ E[i, j] ◇ F[i, j] ◇ 0,
		way[i, j] = H[i, j] == E[i, j] ? 1 : 2
		using ◇ = max boundary (LOW, LOW, 0, 0);
	reduce best = max[i, j](H[i, j]);
	reduce some = count[i, j](E[i, j] > F[i, j]);
}
kernel slant(p: i32[m, n], b: i32[n], out s: i32) {
	let A: i32[m, n];
	wavefront A[i, j] = p[i, j] ^ A[i-1, j+2] - A[i-2, j+1] + 3 * A[i, j-1] from below boundary (j >= 0 && j < n ? b[j] : 2);
	reduce s = min[i, j](A[i, j] ^ p[i, j]);
}
kernel pairs(p: Pair[m, n], out best: i32, out s: i32) {
	let A: Pair[m, n];
	wavefront A[i, j] = Pair(p[i, j].n ^ A[i-1, j].n, A[i, j-1].w + 1) boundary Pair(1, 2);
	reduce best = max[i, j](A[i, j].n), s = sum[i, j](i32(A[i, j].w));
}
kernel many(p: i32[l, m, n], out s: i32) {
	let a: i32[l, m, n];
	wavefront a[h, i, j] = p[h, i, j] + max(a[h, i-1, j], a[h, i, j-1] - 1, a[h, i-1, j-1]) boundary 0;
	reduce s = min[h, i, j](a[h, i, j] ^ 5);
}
kernel line(p: i32[n], out s: i32, out at: i64) {
	let a: i32[n];
	wavefront a[j] = p[j] ^ a[j+1] boundary 3 from right;
	reduce s, at = argmax[j](a[j] & 31);
}
kernel turned(p: i32[m, n] layout col, out s: i32, out x: i64, out y: i64) {
	let a: i32[m, n];
	wavefront a[i, j] = p[i, j] ^ a[i-1, j] - a[i, j-1] boundary 3;
	reduce s, x, y = argmin[i, j](a[i, j] & 31);
}
kernel swapped(p: i32[m, n], inout a: i32[m, n], out s: i32) {
	let b: i32[m, n];
	repeat t < 2 {
		wavefront b[i, j] = (p[i, j] ^ a[i, j]) + max(b[i-1, j], b[i, j-1]) - b[i-1, j-1] boundary 3;
		reduce s = max[i, j](b[i, j] & 255);
		swap a, b;
	}
}
kernel skips(p: i32[n], at: i32[m, n], out a: i32[m, n]) {
	let e: i32[m, n];
	wavefront e[i, j] = max(p[at[i, j]], max(e[i-1, j], a[i, j-1])), a[i, j] = e[i, j] + 1 boundary 0;
}
