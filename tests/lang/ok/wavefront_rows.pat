// Rows that are scans, one after another; wavefront_hybrid.pat has others.
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
kernel gated(p: f64[9, n], w: f64[9, n], out a: f64[9, n]) {
	wavefront a[i, j] = p[i, j] + w[i, j] / 4 * a[i, j-1] + a[i-1, j+1] / 4 boundary (i < 0 ? 2 : 3);
}
kernel warped(x: f32[12], y: f32[n], out D: f32[12, n]) {
	wavefront D[i, j] = abs(x[i] - y[j]) + min(min(D[i-1, j], D[i, j-1]), D[i-1, j-1]) boundary (i < 0 && j < 0 ? 0 : inf);
}
kernel back(p: i64[11, n], inout A: i64[11, n]) {
	wavefront A[i, j] = p[i, j] + A[i+1, j] - 2 * A[i, j+1] + A[i, j-2] boundary (i < 0 ? 7 : 9) from right from below;
}
kernel coupled(p: i32[6, n], out A: i32[6, n], out B: i32[6, n], out C: bool[6, n]) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] + (C[i-1, j] ? 1 : 0),
	          B[i, j] = max(B[i, j-1], A[i, j-2] - A[i, j] + B[i-2, j+3]),
	          C[i, j] = A[i, j-1] < B[i, j] boundary (1, 2, true);
}
kernel narrow(p: u8[13, 129], w: u8, out A: u8[13, 129]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i, j-1] * w boundary u8(j);
}
kernel line(p: i32[n], out a: i32[n]) {
	wavefront a[j] = 3 * a[j-1] + p[j] boundary 5;
}
kernel found(p: i32[m, 128], out A: i32[m, 128]) {
	wavefront A[i, j] = A[i, j-1] ◇ (p[i, j] + A[i-1, j]) using ◇ = first boundary 0;
}
kernel long(p: i32[2, 2100], out a: i32[2, 2100]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j-1] - a[i, j-1] boundary 4;
}
kernel turned(p: f32[m, 50], out a: f32[m, 50] layout col) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] / 2 - a[i, j-1] / 4 for j in 0..50, i in 0..m boundary 0;
}
kernel small(p: i32[7, 40], out a: i32[7, 40]) {
	wavefront a[i, j] = p[i, j] * 3 ^ a[i-1, j] ^ a[i, j-1] boundary 4;
}
kernel second(p: i32[9, n], out a: i32[9, n]) {
	wavefront a[i, j] = p[i, j] + 2 * a[i-1, j] + 3 * a[i, j-1] - a[i, j-2] boundary (i < 0 ? 2 : 5);
}
schedule gated for cuda { sweep rows; }
schedule warped for cuda { sweep rows; }
schedule back for cuda { sweep rows; }
schedule coupled for cuda { sweep rows; }
schedule narrow for cuda { sweep rows; }
schedule line for cuda { sweep rows; }
schedule found for cuda { sweep rows; }
schedule long for cuda { sweep rows; }
schedule turned for cuda { sweep rows; }
schedule small for cuda { sweep rows; }
schedule gated for hip { sweep rows; }
schedule warped for hip { sweep rows; }
schedule back for hip { sweep rows; }
schedule coupled for hip { sweep rows; }
schedule narrow for hip { sweep rows; }
schedule line for hip { sweep rows; }
schedule found for hip { sweep rows; }
schedule long for hip { sweep rows; }
schedule turned for hip { sweep rows; }
schedule small for hip { sweep rows; }
schedule second for cuda { sweep rows; }
schedule second for hip { sweep rows; }
