// what strips of rows keep, hand on, and find outside
struct Pair { n: i64, w: f32, up: bool }
kernel far(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-3, j-1] - 3 * A[i, j-5] + A[i-1, j-2] boundary i32(i - j);
}
kernel slant(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j+2] - A[i-2, j+1] + 3 * A[i, j-1] boundary i32(i + 5 * j);
}
kernel old(inout A: i64[m, n]) {
	wavefront A[i, j] = A[i, j] + 2 * A[i+2, j-1] - A[i, j+3] + A[i+1, j+1] + A[i-1, j] boundary 1;
}
kernel up(inout A: i32[m, n]) {
	wavefront A[i, j] = A[i+1, j] + 2 * A[i, j+1] + 3 * A[i, j-1] + A[i-1, j-1] boundary i32(j) from below;
}
kernel still(inout A: i32[m, n]) {
	wavefront A[i, j] = A[i+1, j] - 2 * A[i, j-1] boundary 4;
}
kernel pairs(p: Pair[m, n], out A: Pair[m, n]) {
	wavefront A[i, j] = Pair(p[i, j].n + A[i-1, j].n * 3, A[i, j-1].w + p[i, j].w, A[i-1, j-1].up || p[i, j].up)
		boundary Pair(i, f32(j), false);
}
kernel masked(p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + 2 * A[i-1, j] - A[i, j-1] where (i + j) % 3 != 0 boundary 5;
}
kernel triangle(p: i32[m, m], inout A: i32[m, m]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - 2 * A[i, j-1] + A[i-1, j-1] for i in 0..m, j in 0..i boundary 2;
}
kernel bordered(top: i32[n], left: i32[m], out A: i32[m, n]) {
	wavefront A[i, j] = A[i-1, j] - A[i, j-1] + 2 * A[i-1, j-1] boundary (i < 0 ? j < 0 ? 0 : top[j] : left[i]);
}
kernel bytes(p: u8[m, n], out A: u8[m, n], out B: bool[m, n]) {
	wavefront A[i, j] = A[i-1, j] ^ p[i, j] + u8(B[i, j-1] ? 1 : 3),
	          B[i, j] = A[i, j] > 100 || B[i-1, j-1] && !B[i-1, j] boundary (7, true);
}
kernel halves(p: f16[m, n], out A: f16[m, n], out B: bf16[m, n]) {
	wavefront A[i, j] = max(A[i-1, j], p[i, j]), B[i, j] = max(B[i, j-1], bf16(A[i, j])) boundary 0;
}
kernel inner(p: i32[l, m, n], k: i64, inout A: i32[l, m, n]) {
	wavefront A[h, i, j] = p[h, i, j] + A[h-1, i+1, j] - A[h, i-1, j+1] + 2 * A[h, i, j-1]
		for h in 1..l, i in 1..m-1, j in 2..n-1;
}
kernel looked(p: i32[m, n], at: i32[m, n], v: i32[k], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + v[at[i, j]] + A[i-1, j] - A[i, j-1] boundary 0;
}
kernel again(inout A: i32[m, n], p: i32[m, n]) {
	repeat t < 3 {
		wavefront A[i, j] = (A[i, j] + A[i, j-1] + A[i-1, j] + A[i+1, j] + A[i, j+1] + p[i, j]) / 5 boundary i32(t);
	}
}
