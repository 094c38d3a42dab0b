// Tiles by anti-diagonal whose rows are scans.
struct Peak { score: i32, at: i32 }
op better(a: Peak, b: Peak) -> Peak = a.score >= b.score ? a : b associative;
kernel sat(p: i32[70, 300], out a: i32[70, 300]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel general(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] / 4 + a[i, j-1] / 2 - a[i-1, j-1] / 8 boundary 1;
}
kernel gaps(q: i32[34], d: i32[n], gap: i32[34], out H: i32[34, n]) {
	wavefront H[i, j] = max(max(H[i, j-1] - gap[i], H[i-1, j] - 2), max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0))
		boundary (-2 * (i32(i) + i32(j) + 2));
}
kernel relax(inout A: f64[m, 260]) {
	wavefront A[i, j] = (A[i, j] + A[i, j-1] + A[i-1, j] + A[i+1, j] + A[i, j+1]) / 5 for i in 1..m-1, j in 1..259;
}
kernel coupled(p: i32[33, 270], out A: i32[33, 270], out B: i32[33, 270], out C: bool[33, 270]) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] + (C[i-1, j] ? 1 : 0),
	          B[i, j] = max(B[i, j-1], A[i, j-2] - A[i, j] + B[i-2, j+3]),
	          C[i, j] = A[i, j-1] < B[i, j] boundary (1, 2, true);
}
kernel batch(p: u32[l, 34, 37], out A: u32[l, 34, 37]) {
	wavefront A[k, i, j] = (p[k, i, j] | A[k, i-1, j]) & A[k, i, j-1] boundary 12345;
}
kernel cube(p: i32[3, m, 61], out A: i32[3, m, 61]) {
	wavefront A[k, i, j] = p[k, i, j] + A[k-1, i, j+1] + A[k, i-1, j] - A[k, i, j-1] boundary 1;
}
kernel halves(p: bf16[40, 33], out A: bf16[40, 33]) {
	wavefront A[i, j] = max(max(p[i, j], A[i-1, j+1]), A[i, j-1]) boundary 0;
}
kernel peaks(p: Peak[m, 31], inout A: Peak[m, 31]) {
	wavefront A[i, j] = A[i, j-1] ◇ A[i-1, j] ◇ p[i, j] using ◇ = better for i in 1..m, j in 1..31;
}
kernel sums(p: i32[35, k], q: i32[k, 20], out a: i32[35, 20]) {
	wavefront a[i, j] = sum[e](p[i, e] * q[e, j]) + a[i-1, j] - 2 * a[i, j-1] boundary 0;
}
kernel back(p: i64[m, n], inout A: i64[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i+1, j] - 2 * A[i, j+1] + A[i, j-2] boundary (i < 0 ? 7 : 9) from right from below;
}
kernel further(p: f64[7, n], w: f64[n], out a: f64[7, n]) {
	wavefront a[i, j] = p[i, j] + w[j] / 4 * a[i, j-1] + a[i, j-2] / 8 + a[i-1, j+1] / 4 boundary 1;
}
kernel longest(p: i32[m, 70], inout a: i32[m, 70]) {
	wavefront a[i, j] = max(max(a[i, j+1] - 1, a[i, j+2] - 3), p[i, j] + a[i-1, j]) boundary 0 from right;
}
schedule sat for cuda { sweep hybrid; }
schedule general for cuda { sweep hybrid; }
schedule gaps for cuda { sweep hybrid; }
schedule relax for cuda { sweep hybrid; }
schedule coupled for cuda { sweep hybrid; }
schedule batch for cuda { sweep hybrid; }
schedule cube for cuda { sweep hybrid; }
schedule halves for cuda { sweep hybrid; }
schedule peaks for cuda { sweep hybrid; }
schedule sums for cuda { sweep hybrid; }
schedule back for cuda { sweep hybrid; }
schedule sat for hip { sweep hybrid; }
schedule general for hip { sweep hybrid; }
schedule gaps for hip { sweep hybrid; }
schedule relax for hip { sweep hybrid; }
schedule coupled for hip { sweep hybrid; }
schedule batch for hip { sweep hybrid; }
schedule cube for hip { sweep hybrid; }
schedule halves for hip { sweep hybrid; }
schedule peaks for hip { sweep hybrid; }
schedule sums for hip { sweep hybrid; }
schedule back for hip { sweep hybrid; }
schedule further for cuda { sweep hybrid; }
schedule further for hip { sweep hybrid; }
schedule longest for cuda { sweep hybrid; }
schedule longest for hip { sweep hybrid; }
