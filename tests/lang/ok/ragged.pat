// Ranges and cells that data decide: what is outside is skipped and recorded, by hand.
struct Span { lo: i16, hi: u8 }
struct Two { a, b: f32 }
struct M { a, b, c, d: i32 }
op mul(p: M, q: M) -> M = M(p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d)
	identity M(1, 0, 0, 1), associative;
const W: i32[2, 3] = [[1, 2, 3], [4, 5, 6]];

kernel csr(row: i32[m+1], col: i32[nnz], val: f32[nnz], x: f32[n], inout y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](val[e] * x[col[e]]);
}
kernel csr_drop(row: u64[m+1], col: u8[nnz], val: f32[nnz], x: f32[n], inout y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](val[e] * x[col[e]]) drop;
}
kernel csr_strict(row: i32[m+1], col: i64[nnz], val: f32[nnz], x: f32[n], inout y: f32[m]) {
	reduce y[r] = 2 * sum[e in row[r]..row[r+1]](val[e] * x[col[e]]) - 3 * y[r] strict;
}
kernel several(row: i32[m+1], col: i32[nnz], val: f32[nnz], u: f32[n], v: f32[n], out y: f32[m], out z: f32[m], out k: i64[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](val[e] * u[col[e]]) + max[e in row[r]..row[r+1]](v[col[e]]),
	       z[r] = sum[e in row[r]..row[r+1]](val[e] * v[col[e]] + u[col[e]]),
	       k[r] = count[e in row[r]..row[r+1]](val[e] > 0);
}
kernel wide(row: i32[m+1], col: i32[nnz], val: f32[nnz], x: f32[n, k], out y: f32[m, k]) {
	reduce y[r, v] = sum[e in row[r]..row[r+1]](val[e] * x[col[e], v]);
}
kernel laplacian(row: i32[m+1], col: i32[nnz], x: f32[m], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1] where col[e] != r](x[r] - x[col[e]]);
}
kernel farthest(row: i32[m+1], col: i32[nnz], x: f32[n], out top: f32[m], out at: i64[m], out low: i64[m]) {
	reduce top[r], at[r] = argmax[e in row[r]..row[r+1]](x[col[e]]), low[r] = argmin[e in row[r]..row[r+1]](x[col[e]]);
}
kernel spans(s: Span[m] layout soa, x: i32[n], inout y: i32[m]) {
	reduce y[r] = max[e in s[r].lo..s[r].hi](x[e]);
}
kernel lengths(len: i8[m], x: i32[m, n], out y: i32[m]) {
	reduce y[r] = sum[k in 0..len[r]](x[r, k]);
}
kernel machines(off: i32[m+1], t: M[n], out y: M[m]) {
	reduce y[r] = mul[e in off[r]..off[r+1]](t[e]);
}
kernel in_structs(off: i32[m+1], p: Two[n] layout soa, out y: Two[m]) {
	reduce y[r].a = sum[e in off[r]..off[r+1]](p[e].a), y[r].b = max[e in off[r]..off[r+1]](p[e].b);
}
kernel guarded(lo: i8[m], hi: u8[m], x: i32[n], out y: i32[m]) {
	reduce y[r] = sum[e in lo[r]..hi[r]](e > 1 ? x[e] : 100);
}
kernel shifted(off: i32[m+1], x: i32[n], inout y: i32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e] - x[e+1]);
}
kernel whole(row: i32[m+1], weight: i32[m], val: i32[nnz], out s: i32, out first: i32, out none: i32) {
	reduce s = sum[r in 0..m, e in row[r]..row[r+1]](val[e] * weight[r]);
	reduce first = sum[e in row[0]..row[m]](val[e]);
	reduce none = sum[e in val[0]..val[0]](val[e]) where nnz > 0;
}
kernel gathers(x: i32[n], at: i32[k], out s: i32, out rows: i32[n], out columns: i32[k], out masked: i32, inout y: i32[k]) {
	reduce s = sum[i](x[at[i]]);
	reduce rows[j] = sum[i](x[at[i]] * x[j]);
	reduce columns[i] = sum[j](x[j] * x[at[i]]);
	reduce masked = sum[i in 0..k where x[at[i]] > 1](x[at[i]]);
	reduce y[i] = sum[j](x[j]) + x[at[i]];
}
kernel computed(x: i32[n], out s: i32, out t: i32) {
	reduce s = sum[i in 0..n](x[i * i % n]);
	reduce t = sum[i in 0..n](x[2 * i * i - 1]) drop;
}
kernel tables(a: i32[n], b: u8[n], out s: i32) {
	reduce s = sum[i](W[a[i], b[i]]);
}
kernel chain(row: i32[m+1], idx: i32[nnz], via: i32[n], x: i32[n], inout y: i32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](x[via[idx[e]]]);
}
kernel steps(row: i32[n+1], col: i32[nnz], val: f32[nnz], inout x: f32[n], steps: i32) {
	let t: f32[n];
	repeat k < steps {
		reduce t[r] = sum[e in row[r]..row[r+1]](val[e] * x[col[e]]);
		map x[i] = t[i];
	}
}
kernel made(x: f32[n], out y: f32[m]) {
	let off: i64[m+1];
	map off[i] = 3 * i;
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
test rows {
	csr(row = [0, 2, 2, 3], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50, 0, 60];
	csr(row = [1, 2, 3], col = [0, 1, 1], val = [1, nan, inf], x = [10, 20], y = 9) -> y = [nan, inf];
	csr(row = [0], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9);
	csr(row = [0, 0, 0], nnz = 0, n = 0, y = 9) -> y = [0, 0];
	csr_strict(row = [0, 2, 2, 3], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 1) -> y = [97, -3, 117];
	several(row = [0, 2, 2, 3], col = [0, 1, 1], val = [1, 2, -3], u = [10, 20], v = [1, 2])
		-> y = [52, -inf, -58], z = [35, 0, 14], k = [2, 0, 0];
	wide(row = [0, 2, 2, 3], col = [0, 1, 1], val = [1, 2, 3], x = [[10, 1], [20, 2]]) -> y = [[50, 5], [0, 0], [60, 6]];
	laplacian(row = [0, 3, 3, 5], col = [0, 1, 2, 0, 1], x = [10, 20, 40]) -> y = [-40, 0, 50];
	farthest(row = [1, 3, 3, 5], col = [0, 1, 2, 1, 2], x = [nan, 20, 40])
		-> top = [40, -inf, 40], at = [2, -1, 4], low = [1, -1, 3];
	farthest(row = [0, 1], col = [0], x = [nan]) -> top = [-inf], at = [-1], low = [-1];
}
test outside {
	csr(row = [0, 2, 2, 3], col = [0, 1, 2], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50, 0, 0] status index;
	csr(row = [0, 2, 1, 3], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50, 0, 100] status index;
	csr(row = [-5, 2, 2, 300], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50, 0, 60] status index;
	csr(row = [2147483647, -2147483648, 2147483647], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9)
		-> y = [0, 110] status index;
	csr(row = [0, 3, 3], col = [-1, 1, 1], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [100, 0] status index;
	csr(row = [0, 1], col = [0], val = [1], n = 0, y = 9) -> y = [0] status index;
	csr_drop(row = [0, 2, 1, 300], col = [0, 1, 7], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50, 0, 40];
	csr_drop(row = [18446744073709551615, 2], col = [0, 1, 7], val = [1, 2, 3], x = [10, 20], y = 9) -> y = [50];
	csr_strict(row = [0, 2, 2, 3], col = [0, 9, 9], val = [1, 2, 3], x = [10, 20], y = 1) -> y = [17, -3, -3] status index;
	chain(row = [0, 3], idx = [0, 1, 2], via = [1, 7], x = [10, 20], y = 9) -> y = [20] status index;
}
test ranges {
	spans(s = [Span(0, 2), Span(-3, 1), Span(1, 9), Span(2, 1)], x = [4, 5, 6], y = 0)
		-> y = [5, 4, 6, i32.min] status index;
	lengths(len = [0, 2, 3], x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]) -> y = [0, 9, 24];
	lengths(len = [-1, 2, 5], x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]) -> y = [0, 9, 24] status index;
	machines(off = [0, 2, 2], t = [M(1, 2, 3, 4), M(0, 1, 1, 0)]) -> y = [M(2, 1, 4, 3), M(1, 0, 0, 1)];
	in_structs(off = [0, 1, 3], p = [Two(1, 2), Two(3, 4), Two(5, 6)]) -> y = [Two(1, 2), Two(8, 6)];
	guarded(lo = [0, 1, 3], hi = [3, 1, 4], x = [1, 2, 3, 4]) -> y = [203, 0, 4];
	guarded(lo = [-2, 1, 3], hi = [3, 1, 5], x = [1, 2, 3, 4]) -> y = [403, 0, 4] status index;
	shifted(off = [0, 2, 3], x = [1, 2, 4], y = 9) -> y = [-3, 0] status index;
	shifted(off = [0, 2, 2], x = [1, 2, 4], y = 9) -> y = [-3, 0];
	whole(row = [0, 2, 3], weight = [1, 2], val = [1, 2, 3]) -> s = 9, first = 6;
	whole(row = [0, 3, 2], weight = [1, 2], val = [1, 2, 3]) -> s = 6, first = 3 status index;
	made(n = 6, m = 2, x = 1) -> y = 3;
	made(n = 4, m = 2, x = 1) -> y = [3, 1] status index;
}
test cells {
	gathers(x = [1, 2, 3], at = [2, 2, 0], y = 9)
		-> s = 7, rows = [7, 14, 21], columns = [18, 18, 6], masked = 6, y = [9, 9, 7];
	gathers(x = [1, 2, 3], at = [2, 3, -1], y = 9)
		-> s = 3, rows = [3, 6, 9], columns = [18, 0, 0], masked = 3, y = [9, 9, 9] status index;
	computed(x = [1, 2, 4]) -> s = 5, t = 2;
	tables(a = [0, 1], b = [2, 1]) -> s = 8;
	tables(a = [0, 1], b = [3, 1]) -> s = 5 status index;
	tables(a = [-1, 1], b = [3, 2]) -> s = 6 status index;
	steps(row = [0, 1, 2], col = [1, 0], val = [2, 3], x = [1, 10], steps = 3) -> x = [120, 18];
}
