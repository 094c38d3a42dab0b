// reductions folded where the cells of a wavefront are born
struct Pair { n: i32, w: f32 }
op longer(a: Pair, b: Pair) -> Pair = a.n > b.n || (a.n == b.n && a.w >= b.w) ? a : b identity Pair(-2147483648, -inf), associative, commutative;
kernel best(q: u8[m], d: u8[n], out H: i32[m, n], out top: i32, out row: i64, out column: i64, out all: i64, out some: i64) {
	wavefront H[i, j] = max(max(H[i, j-1] - 2, H[i-1, j] - 2), max(H[i-1, j-1] + (q[i] % 4 == d[j] % 4 ? 3 : -3), 0)) boundary 0;
	reduce top, row, column = argmax[i, j](H[i, j]);
	reduce all = sum[i, j](i64(H[i, j])), some = count[i, j](H[i, j] > 2);
}
kernel pinned(q: u8[m], d: u8[n], out H: i32[m, n], out top: i32, out row: i64, out column: i64) {
	table: wavefront H[i, j] = max(max(H[i, j-1] - 2, H[i-1, j] - 2), max(H[i-1, j-1] + (q[i] % 4 == d[j] % 4 ? 3 : -3), 0)) boundary 0;
	reduce top, row, column = argmin[i, j](H[i, j] - (q[i] < d[j] ? 1 : 0));
}
schedule pinned for cuda { table: sweep diagonal; }
schedule pinned for hip { table: sweep diagonal; }
kernel by_rows(p: i32[m, n], out a: i32[m, n], out s: i32) {
	table: wavefront a[i, j] = p[i, j] ^ a[i-1, j] ^ a[i, j-1] boundary 0;
	reduce s = sum[i, j](a[i, j] & 7);
}
schedule by_rows for cuda { table: sweep rows; }
schedule by_rows for hip { table: sweep hybrid; }
kernel sums(p: f32[m, n], w: f32[n], out a: f32[m, n], out s: f32) {
	let t: f32[m, n];
	wavefront a[i, j] = p[i, j] + 0.5 * a[i-1, j] - 0.25 * a[i, j-1] + 0.1 * a[i-1, j-1] boundary 1;
	map t[i, j] = a[i, j] * w[j];
	reduce s = sum[i, j](t[i, j] * t[i, j]) / f32(m * n + 1);
}
kernel masked(p: i32[m, n], inout a: i32[m, n], out s: i32, out at: i64, out row: i64) {
	wavefront a[i, j] = p[i, j] + 2 * a[i-1, j] - a[i, j-1] where (i + j) % 3 != 0 boundary 5;
	reduce s, row, at = argmax[i, j where i > 1](a[i, j] & 1023);
}
kernel inner(p: i32[m, n], inout a: i32[m, n], out low: i32) {
	wavefront a[i, j] = p[i, j] + a[i-1, j+1] - a[i, j-1] for i in 1..m, j in 1..n-1 from below boundary 0;
	reduce low = min[i in 1..m, j in 1..n-1](a[i, j]);
}
kernel pairs(p: Pair[m, n], out a: Pair[m, n], out best: Pair) {
	wavefront a[i, j] = Pair(p[i, j].n ^ a[i-1, j].n, a[i, j-1].w + p[i, j].w) boundary Pair(1, 2);
	reduce best = longer[i, j](a[i, j]);
}
kernel solid(p: i32[l, m, n], inout a: i32[l, m, n], out s: i32, out x: i64, out y: i64, out z: i64) {
	wavefront a[h, i, j] = p[h, i, j] ^ a[h-1, i, j] ^ a[h, i-1, j] + a[h, i, j-1] boundary 0;
	reduce s, x, y, z = argmax[h, i, j](a[h, i, j] & 63);
}
kernel many(p: i32[l, m, n], out a: i32[l, m, n], out s: i32) {
	wavefront a[h, i, j] = p[h, i, j] + max(a[h, i-1, j], a[h, i, j-1] - 1, a[h, i-1, j-1]) boundary 0;
	reduce s = min[h, i, j](a[h, i, j] ^ 5);
}
kernel again(p: i32[m, n], inout a: i32[m, n], out s: i32) {
	repeat until s > 1000 at most 5 {
		wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + (p[i, j] & 15)) / 3 boundary 7;
		reduce s = max[i, j](a[i, j]);
	}
}
