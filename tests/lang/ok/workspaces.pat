// workspaces.pat - how many terms or cells there are scalars and counters decide, and how large the workspace is sizes alone.
struct P { a: i64, b: i64 }
op both(x: P, y: P) -> P = P(x.a + y.a, max(x.b, y.b)) identity P(0, i64.min), associative, commutative;

kernel totals(x: i32[n], p: P[n], k: i64, low: i32, out s: i64, out top: i32, out at: i64, out c: i64, out q: P, out w: i64, inout y: i32[n]) {
	reduce s = sum[i in 0..k](i64(x[i]));
	reduce top, at = argmax[i in 0..k](x[i]);
	reduce c = count[i in low..k](x[i] > 0) drop;
	reduce q = both[i in low..k](p[i]);
	reduce w = sum[i in 0..k](i % 7), c += sum[i in 0..k](i);
	let f: i32 = max[i in 0..k where i < n](x[i]);
	map y[i] = f - y[i];
}
kernel counted(x: i32[n], a: i32[n, m], inout y: i64[n], inout z: i32[m]) {
	repeat k < n {
		let s: i64;
		let t: i32;
		reduce s = sum[i in 0..k](i64(x[i]));
		reduce t = max[i in 0..k, j in 0..m](a[i, j]);
		map y[i] += s;
		map z[j] = max(z[j], t);
		reduce z[j] = z[j] + sum[i in k..n](a[i, j]);
	}
}
kernel products(a: i32[n, m], b: i32[m, n], inout c: i32[n, n], inout d: i32[m, m], inout e: i32[n, n]) {
	repeat k < n {
		matmul c[i, j] = i32(k) + sum[l](a[i, l] * b[l, j]) for i in 0..k, j in 0..n;
		matmul d[i, j] = d[i, j] ^ sum[l in 0..k](b[i, l] * a[l, j]);
		matmul e[i, j] = max[l](a[i, l] + b[l, j]) for i in k..n, j in 0..k;
	}
}
kernel masked(a: i32[n, m], b: i32[m, n], k: i64, inout c: i32[n, n], inout d: i32[2, n, n], inout s: i32[n], inout t: i32[n]) {
	repeat pass < 2 {
		matmul c[i, j] = sum[l](a[i, l] * b[l, j]) + c[i, j] for i in 0..k, j in 0..k where i < n && j < n;
		matmul d[q, i, j] = sum[l](a[i, l] * b[l, j]) + i32(q) for q in 0..2, i in 0..n, j in pass..n;
		reduce s[i] = s[i] + sum[j](a[i, j]) for i in 0..k where i < n;
		reduce t[j] = t[j] + sum[i](b[i, j]) for j in 0..k where j < n;
	}
	reduce s[i] = s[i] + sum[j](a[i, j]) for i in 0..k where i < n;
	reduce t[j] = t[j] + sum[i](b[i, j]) for j in 0..k where j < n;
}
kernel folded(x: i32[n, n], k: i64, inout y: i32[n, n], out s: i64, out t: i32) {
	map y[i, j] += x[i, j] for i in 0..k, j in 0..n;
	reduce s = sum[i in 0..k, j in 0..n](i64(y[i, j]));
	let A: i32[n, n];
	wavefront A[i, j] = x[i, j] + max(A[i-1, j], A[i, j-1]) / 3 boundary 0 for i in 0..k, j in 0..k;
	reduce t = max[i in 0..k, j in 0..k](A[i, j]);
}
test by_scalars {
	totals(x = [1, 5, -2, 5], p = [P(1, 1), P(2, 9), P(3, 3), P(4, 4)], k = 3, low = 1, y = 1)
		-> s = 4, top = 5, at = 1, c = 4, q = P(5, 9), w = 3, y = 4;
	totals(x = [1, 5], p = [P(1, 1), P(2, 9)], k = 0, low = 0, y = 7) -> s = 0, at = -1, c = 0, q = P(0, i64.min), w = 0;
	totals(n = 3, x = 2, p = [P(1, 1), P(2, 2), P(3, 3)], k = 70000, low = 0, y = 0)
		-> s = 6, top = 2, at = 0, c = 2449965003, w = 210000, y = 2 status index;
	totals(n = 70000, x = 2, p = random, k = 69000, low = 1, y = 0) -> s = 138000, top = 2, at = 0, w = 206997;
}
test by_counters {
	counted(x = [1, 2, 3], a = [[1, 2], [3, 4], [5, 6]], y = 0, z = 0) -> y = [4, 4, 4], z = [22, 28];
	products(a = [[1, 2], [3, 4]], b = [[5, 6], [7, 8]], c = 0, d = 0, e = 0) -> c = [[20, 23], [0, 0]], d = [[5, 10], [7, 14]];
	products(n = 9, m = 700, a = 1, b = 2, c = 0, d = 0, e = 0);
}
test by_masks {
	masked(n = 2, m = 3, a = 1, b = 2, k = 5, c = 0, d = 0, s = 0, t = 0)
		-> c = 12, s = 9, t = 18, d = [[[6, 6], [6, 6]], [[7, 7], [7, 7]]];
	masked(n = 3, m = 9000, a = 1, b = 2, k = 200, c = 0, d = 0, s = 0, t = 0) -> c = 36000, s = 27000, t = 54000;
	folded(x = [[1, 2], [3, 4]], y = 1, k = 1) -> s = 5, t = 1;
	folded(n = 70, x = random, y = 1, k = 69);
}
