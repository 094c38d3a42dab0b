struct Peak { score: i32, at: i32 }
op better(a: Peak, b: Peak) -> Peak = a.score >= b.score ? a : b associative;
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
kernel sat(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel general(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] / 4 + a[i, j-1] / 2 - a[i-1, j-1] / 8 boundary 1;
}
kernel gated(p: f64[m, n], w: f64[m, n], out a: f64[m, n]) {
	wavefront a[i, j] = p[i, j] + w[i, j] / 4 * a[i, j-1] + a[i-1, j+1] / 4 boundary (i < 0 ? 2 : 3);
}
kernel gaps(q: i32[m], d: i32[n], gap: i32[m], out H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i, j-1] - gap[i], H[i-1, j] - 2), max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0))
		boundary (-2 * (i32(i) + i32(j) + 2));
}
kernel warped(x: f32[m], y: f32[n], out D: f32[m, n]) {
	wavefront D[i, j] = abs(x[i] - y[j]) + min(min(D[i-1, j], D[i, j-1]), D[i-1, j-1]) boundary (i < 0 && j < 0 ? 0 : inf);
}
kernel relax(inout A: f64[m, n]) {
	wavefront A[i, j] = (A[i, j] + A[i, j-1] + A[i-1, j] + A[i+1, j] + A[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}
kernel back(p: i64[m, n], inout A: i64[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i+1, j] - 2 * A[i, j+1] + A[i, j-2] boundary (i < 0 ? 7 : 9) from right from below;
}
kernel coupled(p: i32[m, n], out A: i32[m, n], out B: i32[m, n], out C: bool[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] + (C[i-1, j] ? 1 : 0),
	          B[i, j] = max(B[i, j-1], A[i, j-2] - A[i, j] + B[i-2, j+3]),
	          C[i, j] = A[i, j-1] < B[i, j] boundary (1, 2, true);
}
kernel batch(p: u32[l, m, 37], out A: u32[l, m, 37]) {
	wavefront A[k, i, j] = (p[k, i, j] | A[k, i-1, j]) & A[k, i, j-1] boundary 12345;
}
kernel cube(p: i32[l, m, 61], out A: i32[l, m, 61]) {
	wavefront A[k, i, j] = p[k, i, j] + A[k-1, i, j+1] + A[k, i-1, j] - A[k, i, j-1] boundary 1;
}
kernel narrow(p: u8[m, 129], w: u8, out A: u8[m, 129]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i, j-1] * w boundary u8(j);
}
kernel halves(p: bf16[m, 33], out A: bf16[m, 33]) {
	wavefront A[i, j] = max(max(p[i, j], A[i-1, j+1]), A[i, j-1]) boundary 0;
}
kernel line(p: i32[n], out a: i32[n]) {
	wavefront a[j] = 3 * a[j-1] + p[j] boundary 5;
}
kernel peaks(p: Peak[m, 31], inout A: Peak[m, 31]) {
	wavefront A[i, j] = A[i, j-1] ◇ A[i-1, j] ◇ p[i, j] using ◇ = better for i in 1..m, j in 1..31;
}
kernel found(p: i32[m, 128], out A: i32[m, 128]) {
	wavefront A[i, j] = A[i, j-1] ◇ (p[i, j] + A[i-1, j]) using ◇ = first boundary 0;
}
kernel small(p: i32[7, 40], out a: i32[7, 40]) {
	wavefront a[i, j] = p[i, j] * 3 ^ a[i-1, j] ^ a[i, j-1] boundary 4;
}
kernel long(p: i32[2, 9001], out a: i32[2, 9001]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j-1] - a[i, j-1] boundary 4;
}
kernel sums(p: i32[m, k], q: i32[k, n], out a: i32[m, n]) {
	wavefront a[i, j] = sum[e](p[i, e] * q[e, j]) + a[i-1, j] - 2 * a[i, j-1] boundary 0;
}
kernel turned(p: f32[m, n], out a: f32[m, n] layout col) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] / 2 - a[i, j-1] / 4 for j in 0..n, i in 0..m boundary 0;
}
schedule sat for cuda { sweep rows; }
schedule general for cuda { sweep rows; }
schedule gated for cuda { sweep rows; }
schedule gaps for cuda { sweep rows; }
schedule warped for cuda { sweep rows; }
schedule relax for cuda { sweep rows; }
schedule back for cuda { sweep rows; }
schedule coupled for cuda { sweep rows; }
schedule batch for cuda { sweep rows; }
schedule cube for cuda { sweep rows; }
schedule narrow for cuda { sweep rows; }
schedule halves for cuda { sweep rows; }
schedule line for cuda { sweep rows; }
schedule peaks for cuda { sweep rows; }
schedule found for cuda { sweep rows; }
schedule small for cuda { sweep rows; }
schedule long for cuda { sweep rows; }
schedule sums for cuda { sweep rows; }
schedule turned for cuda { sweep rows; }
schedule sat for hip { sweep rows; }
schedule general for hip { sweep rows; }
schedule gated for hip { sweep rows; }
schedule gaps for hip { sweep rows; }
schedule warped for hip { sweep rows; }
schedule relax for hip { sweep rows; }
schedule back for hip { sweep rows; }
schedule coupled for hip { sweep rows; }
schedule batch for hip { sweep rows; }
schedule cube for hip { sweep rows; }
schedule narrow for hip { sweep rows; }
schedule halves for hip { sweep rows; }
schedule line for hip { sweep rows; }
schedule peaks for hip { sweep rows; }
schedule found for hip { sweep rows; }
schedule small for hip { sweep rows; }
schedule long for hip { sweep rows; }
schedule sums for hip { sweep rows; }
schedule turned for hip { sweep rows; }
