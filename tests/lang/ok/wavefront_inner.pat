// rows whose inner cells need no test, and what goes from cell to cell in a register
kernel ends(inout A: i32[m, n]) {
	wavefront A[i, j] = 3 * A[i, j-1] - A[i, j+1] + A[i, j+2] - A[i, j-2] + A[i-1, j-1] - A[i+1, j+1] + A[i, j] boundary (i32(i - j));
}
kernel ends_right(inout A: i32[m, n]) {
	wavefront A[i, j] = 3 * A[i, j+1] - A[i, j-1] + A[i, j-2] - A[i, j+2] + A[i-1, j-1] - A[i+1, j+1] + A[i, j] boundary (i32(i - j)) from right;
}
kernel ends_below(inout A: i16[m, n]) {
	wavefront A[i, j] = A[i, j+1] - A[i, j-1] + A[i+1, j-2] - A[i, j+2] + A[i-1, j-1] boundary (i16(i & 7)) from right from below;
}
kernel far(inout A: i32[m, n]) {
	wavefront A[i, j] = A[i, j-3] - A[i-5, j-2] + A[i-2, j+4] boundary 2;
}
// a cell that its mask leaves alone hands on what it holds
kernel masked(length: i32[m], inout A: i32[m, n], inout B: i32[m, n]) {
	wavefront A[i, j] = A[i, j-1] + B[i, j-1] - A[i-1, j-1] + 1, B[i, j] = B[i-1, j] - A[i, j-2] boundary (3, i32(j))
		where j < i64(length[i]) && A[i, j] != 2;
}
// the mask keeps the cells in their table, not the ranges
kernel beyond(inout A: i32[m, n]) {
	order: wavefront A[i, j] = A[i, j-1] + A[i-1, j] + 1 boundary 0 for i in 0..2*m, j in 0..2*n where j < n && i < m;
}
kernel halves(p: f16[m, n], inout A: f16[m, n], inout B: bf16[m, n]) {
	wavefront A[i, j] = (A[i, j-1] + p[i, j]) / 2, B[i, j] = max(B[i, j-1], B[i-1, j-1]) boundary (0, 1);
}
kernel bytes(p: u8[m, n], out A: u8[m, n], out b: bool[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] + A[i-1, j], b[i, j] = b[i, j-1] != (A[i, j] > 100) boundary (1, false);
}
kernel strict_sum(p: f32[m, n], out A: f32[m, n]) {
	wavefront A[i, j] = (A[i, j-1] + p[i, j]) / 2 + A[i-1, j] / 4 strict boundary 0;
}
kernel row_of_one(x: i32[n], inout y: i32[n]) {
	wavefront y[i] = y[i-1] - y[i+1] + x[i] boundary 1 where x[i] != 0;
}
kernel problems(p: i32[k, m, n], out A: i32[k, m, n]) {
	wavefront A[b, i, j] = p[b, i, j] + A[b, i-1, j+1] - A[b, i, j-1] boundary 1;
}
