// by hand: what a cell sees
kernel sat(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel lcs(a: u8[m], b: u8[n], out L: i32[m, n]) {
	wavefront L[i, j] = a[i] == b[j] ? L[i-1, j-1] + 1 : max(L[i-1, j], L[i, j-1]) boundary 0;
}
kernel nw(q: u8[m], d: u8[n], gap: i32, out H: i32[m, n], out from: u8[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - gap, H[i, j-1] - gap), H[i-1, j-1] + (q[i] == d[j] ? 1 : -1)),
	          from[i, j] = H[i, j] == H[i-1, j] - gap ? 1 : H[i, j] == H[i, j-1] - gap ? 2 : 3
		boundary (-gap * (i32(i) + i32(j) + 2), 0);
}
kernel sor(inout A: f64[m, n]) {
	wavefront A[i, j] = (A[i, j] + A[i, j-1] + A[i-1, j] + A[i+1, j] + A[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}
kernel right(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + 2 * A[i, j+1] + A[i-1, j] boundary 0 from right;
}
kernel below(p: i32[m, n], out A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + 2 * A[i, j-1] + A[i+1, j] boundary 0 from below;
}
kernel both(inout A: i32[m, n]) {
	wavefront A[i, j] = 10 * A[i, j] + A[i, j+1] - A[i+1, j+1] boundary 0 from right from below;
}
kernel borders(top: i32[n], left: i32[m], corner: i32, out A: i32[m, n]) {
	wavefront A[i, j] = A[i-1, j] + A[i, j-1] - A[i-1, j-1]
		boundary (i >= 0 ? left[i] : j >= 0 ? top[j] : corner);
}
kernel masked(inout A: i32[m, n]) {
	wavefront A[i, j] = A[i, j-1] + A[i-1, j] boundary 1 where A[i, j] != 9;
}
kernel tables(inout A: i32[n], inout B: i32[n]) {
	wavefront A[i] = A[i] + B[i] + B[i-1] * 100, B[i] = A[i] + B[i+1] boundary 0;
}
kernel swapped(inout A: i32[n], inout B: i32[n], t: i32) {
	repeat k < t { wavefront A[i] = A[i-1] + B[i] boundary 1; swap A, B; }
}
kernel temporary(p: i32[m, n], out y: i32[m, n]) {
	let A: i32[m, n];
	wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i+1, j] boundary 5 where j != 1;
	map y[i, j] = A[i, j];
}
kernel looked(q: i8[m], d: i8[n], s: i32[k, k], inout H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - 2, H[i, j-1] - 2), max(H[i-1, j-1] + s[q[i], d[j]], 0)) boundary 0;
}
kernel dropped(q: i8[m], d: i8[n], s: i32[k, k], inout H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - 2, H[i, j-1] - 2), max(H[i-1, j-1] + s[q[i], d[j]], 0)) boundary 0 drop;
}
kernel outside(q: i8[n], x: i32[k], inout A: i32[m, n]) {
	wavefront A[i, j] = i == 0 && j == 0 ? 7 : A[i-1, j] + 1 boundary x[q[j]];
}
kernel triangle(inout A: i32[n, n]) {
	wavefront A[i, j] = A[i-1, j] + A[i-1, j-1] boundary (i < 0 && j < 0 ? 1 : 0) for i in 0..n, j in 0..i+1;
}
kernel upper(inout A: i32[n, n]) {
	wavefront A[i, j] = A[i+1, j] + A[i, j-1] for i in 0..n-1, j in i+1..n from below;
}
test cells {
	sat(p = [[1, 2, 3], [4, 5, 6]]) -> a = [[1, 3, 6], [5, 12, 21]];
	sat(m = 0, n = 4);
	sat(m = 4, n = 0);
	lcs(a = [1, 2, 3, 2], b = [2, 3, 1]) -> L = [[0, 0, 1], [1, 1, 1], [1, 2, 2], [1, 2, 2]];
	nw(q = [1, 2], d = [2, 1], gap = 1) -> H = [[-1, 0], [0, -1]], from = [[3, 3], [3, 1]];
	sor(A = [[1, 1, 1], [1, 6, 1], [1, 1, 1]]) -> A = [[1, 1, 1], [1, 2, 1], [1, 1, 1]];
	sor(A = [[0, 5, 0, 0], [5, 0, 10, 0], [0, 15, 0, 0]]) -> A = [[0, 5, 0, 0], [5, 7, 3.4, 0], [0, 15, 0, 0]];
	right(p = [[1, 2, 3], [0, 0, 1]]) -> A = [[17, 8, 3], [49, 16, 4]];
	below(p = [[1, 2, 3], [0, 0, 1]]) -> A = [[1, 4, 12], [0, 0, 1]];
	both(A = [[1, 2], [3, 4]]) -> A = [[-10, 20], [70, 40]];
	borders(top = [1, 2], left = [10, 20], corner = 100) -> A = [[-89, -88], [-79, -78]];
	masked(A = [[0, 9, 0], [9, 0, 0]]) -> A = [[2, 9, 10], [9, 18, 28]];
	tables(A = [1, 2, 3], B = [10, 20, 30]) -> A = [11, 3122, 315233], B = [31, 3152, 315233];
	swapped(A = [1, 2, 3], B = [4, 5, 6], t = 1) -> A = [4, 5, 6], B = [5, 10, 16];
	swapped(A = [1, 2, 3], B = [4, 5, 6], t = 2) -> A = [5, 10, 16], B = [6, 16, 32];
	swapped(A = [1, 2, 3], B = [4, 5, 6], t = 0) -> A = [1, 2, 3], B = [4, 5, 6];
	temporary(p = [[1, 2], [3, 4], [5, 6]]) -> y = [[6, 0], [9, 0], [19, 0]];
}
test data {
	looked(q = [0, 1], d = [1, 0], s = [[3, -1], [-1, 3]], H = 8) -> H = [[0, 3], [3, 1]];
	looked(q = [0, 5], d = [1, 0], s = [[3, -1], [-1, 3]], H = 8) -> H = [[0, 3], [8, 8]] status index;
	looked(q = [5, 1], d = [1, 0], s = [[3, -1], [-1, 3]], H = 8) -> H = [[8, 8], [6, 7]] status index;
	dropped(q = [5, 1], d = [1, 0], s = [[3, -1], [-1, 3]], H = 8) -> H = [[8, 8], [6, 7]];
	outside(q = [1, 0], x = [10, 20], A = [[0, 0], [0, 0]]) -> A = [[7, 11], [8, 12]];
	outside(q = [9, 0], x = [10, 20], A = [[0, 0], [0, 0]]) -> A = [[7, 11], [8, 12]];
	outside(q = [0, 9], x = [10, 20], A = [[0, 3], [0, 0]]) -> A = [[7, 3], [8, 4]] status index;
	triangle(A = [[0, 9, 9, 9], [0, 0, 9, 9], [0, 0, 0, 9], [0, 0, 0, 0]])
		-> A = [[1, 9, 9, 9], [1, 10, 9, 9], [1, 11, 19, 9], [1, 12, 30, 28]];
	upper(A = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]) -> A = [[1, 3, 8], [0, 2, 5], [0, 0, 3]];
}
