// What compact gives, by hand.
struct P { x, y: f32 }
kernel positive(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] where x[i] > 0;
}
kernel parted(x: i32[n], out low: i32[m], out high: i64[n], out k: i32) {
	compact low, k = x[i] where x[i] < 5 else high;
}
kernel order(a: i32[n, m], out y: i32[k], out row: i64[k], out col: i64[k], out c: i64) {
	compact y, c = a[i, j], row = i, col = j where a[i, j] > 0;
}
kernel columns(a: i32[n, m], out y: i32[k], out c: i64) {
	compact y, c = a[i, j] where a[i, j] > 0 for j in 0..m, i in 0..n;
}
kernel far(x: f32[n], at: i32[m], out y: f32[m], out z: f32[m], out k: i64) {
	compact y, k = x[at[i]] where at[i] != 1 else z;
}
kernel points(p: P[n], out q: P[n], out k: i64) {
	compact q, k = p[i] where p[i].x > p[i].y;
}
test selections {
	positive(x = [1, -2, 3, 0, nan], y = 9) -> y = [1, 3, 9, 9, 9], k = 2;
	positive(n = 0) -> k = 0;
	parted(x = [7, 1, 5, 2, 3], low = [0, 0], high = -1) -> low = [1, 2], high = [7, 5, -1, -1, -1], k = 3 status full;
	parted(x = [7, 1, 5, 2], low = [0, 0], high = -1) -> low = [1, 2], high = [7, 5, -1, -1], k = 2;
	order(a = [[0, 5], [6, 0], [7, 8]], k = 5, y = 0, row = 0, col = 0) -> y = [5, 6, 7, 8, 0], row = [0, 1, 2, 2, 0], col = [1, 0, 0, 1, 0], c = 4;
	columns(a = [[0, 5], [6, 0], [7, 8]], k = 4, y = 0) -> y = [6, 7, 5, 8], c = 4;
	far(x = [10, 20, 30], at = [2, 1, 3, 0, -1, 1], y = 0, z = 0) -> y = [30, 10, 0, 0, 0, 0], z = [20, 20, 0, 0, 0, 0], k = 2 status index;
	points(p = [P(1, 2), P(4, 3), P(2, 0)], q = P(0, 0)) -> q = [P(4, 3), P(2, 0), P(0, 0)], k = 2;
}
