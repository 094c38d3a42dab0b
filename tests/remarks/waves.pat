// patc --target=cuda
struct P { x, y: f32 }
op plus(a: i32, b: i32) -> i32 = a + b identity 0, associative, commutative;
op both(a: P, b: P) -> P = P(a.x + b.x, a.y + b.y) identity P(0, 0), associative, commutative;
kernel area(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel pinned(p: f32[m, n], out a: f32[m, n]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
schedule pinned for cuda { wave: sweep diagonal; }
kernel leftward(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j], a[i, j+1])) boundary 0 from right;
}
kernel two_rows(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-2, j] + a[i, j-1] boundary 0;
}
kernel one_way(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i, j-1] boundary 0;
}
kernel per_cell(p: f32[m, n], w: f32[n], out a: f32[m, n]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j], a[i, j-1] + w[j])) boundary 0;
}
kernel diagonal(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = max(max(a[i-1, j] - 2, a[i, j-1] - 2), max(a[i-1, j-1] + 3, p[i, j])) boundary 0;
}
kernel parity(p: u32[m, n], out a: u32[m, n]) {
	wavefront a[i, j] = p[i, j] ^ a[i-1, j] ^ a[i, j-1] boundary 0;
}
kernel paths(p: u32[m, n], out a: u32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
kernel own(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = plus(plus(a[i-1, j], a[i, j-1]), p[i, j]) boundary 0;
}
kernel line(p: i32[n], out a: i32[n]) { wavefront a[j] = p[j] + a[j-1] boundary 0; }
kernel tables(p: i32[m, n], out a: i32[m, n], out b: i32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i, j-1], b[i, j] = a[i, j] + b[i-1, j] boundary 0;
}
kernel masked(p: i32[m, n], inout a: i32[m, n]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j], a[i, j-1])) where p[i, j] > 0 boundary 0;
}
kernel triangle(p: i32[m, n], inout a: i32[m, n]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j], a[i, j-1])) for i in 0..m, j in 0..min(i, n) boundary 0;
}
kernel solid(p: i32[l, m, n], out a: i32[l, m, n]) {
	wavefront a[k, i, j] = max(p[k, i, j], max(a[k-1, i, j], max(a[k, i-1, j], a[k, i, j-1]))) boundary 0;
}
kernel looked_up(p: i32[n], at: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = max(p[at[i, j]], max(a[i-1, j], a[i, j-1])) boundary 0;
}
kernel over(inout a: f32[m, n]) {
	wavefront a[i, j] = (a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 4 for i in 1..m-1, j in 1..n-1;
}
kernel pairs_of(p: P[m, n], out a: P[m, n]) {
	wavefront a[i, j] = both(p[i, j], both(a[i-1, j], a[i, j-1])) boundary P(0, 0);
}
kernel folding(p: i32[n, l], out a: i32[m, n]) {
	wavefront a[i, j] = max(sum[k](p[j, k]), max(a[i-1, j], a[i, j-1])) boundary 0;
}
kernel far_down(p: i64[m, n], out a: i64[m, n]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 1, a[i, j-1] - 1)) boundary 0;
}
kernel lawless(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = sqrt(a[i-1, j]) + a[i, j-1] * a[i-1, j-1] boundary 1;
}
kernel many(p: i32[l, m, n], out a: i32[l, m, n]) {
	wavefront a[k, i, j] = max(p[k, i, j] + a[k, i-1, j-1], a[k, i, j-1] - 2) boundary 0;
}
kernel ragged(p: i32[l, m, n], length: i32[l], out a: i32[l, m, n]) {
	wavefront a[k, i, j] = max(p[k, i, j], max(a[k, i-1, j], a[k, i, j-1])) boundary 0 for k in 0..l, i in 0..m, j in 0..length[k];
}
kernel summed(p: i32[m, n], out a: i32[m, n], out s: i32) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
	reduce s = max[i, j](a[i, j]);
}
kernel scored(p: i32[m, n], out a: i32[m, n], out s: i32, out at: i64, out row: i64, out more: i64, out apart: i64, out e: i64) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 2, a[i-1, j-1] + 3)) boundary 0;
	reduce s, row, at = argmax[i, j](a[i, j]);
	reduce more = count[i, j](a[i, j] > 3);
	reduce apart = count[i, j](a[i, j] == s);
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 1, a[i-1, j-1] + 2)) boundary 0;
	reduce apart = sum[i, j](i64(a[i, j])) + max[i, j](i64(a[i, j])) + prod[i, j](i64(a[i, j])) + min[i, j](i64(a[i, j])) + count[i, j](a[i, j] > 2);
	reduce e = sum[i, j](2 * i64(a[i, j])) + max[i, j](-i64(a[i, j])) + prod[i, j](3 * i64(a[i, j])) + min[i, j](1 - i64(a[i, j]));
}
kernel unstored(p: i32[m, n], out way: i32[m, n], out s: i32) {
	let a: i32[m, n];
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 2, a[i-1, j-1] + 3)), way[i, j] = a[i, j] - p[i, j] boundary 0;
	reduce s = max[i, j](a[i, j]);
}
kernel stored(p: i32[m, n], q: i32[l, m, n], out c: i32, out s: i32, out e: i32, out f: i32, out g: i32) {
	let a: i32[m, n]; let b: i32[m, n]; let d: i32[m, n]; let t: i32[m, n]; let u: i32[l, m, n];
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 2, a[i-1, j-1] + 3)) boundary 0;
	reduce s = max[i, j](a[i, j]) + (0 < m && 0 < n ? a[0, 0] : 0);
	wavefront b[i, j] = max(p[i, j], max(b[i-1, j] - 2, b[i-1, j-1] + 3)) where p[i, j] > 3 boundary 0;
	reduce c = max[i, j](b[i, j]);
	wavefront d[i, j] = max(p[i, j], max(d[i-1, j] - 2, d[i, j+1] + 3)) boundary 0;
	reduce e = max[i, j](d[i, j]);
	table: wavefront t[i, j] = max(p[i, j], max(t[i-1, j] - 2, t[i-1, j-1] + 3)) boundary 0;
	reduce f = max[i, j](t[i, j]) + (0 < m && 0 < n ? t[0, 0] : 0);
	wavefront u[h, i, j] = max(q[h, i, j], max(u[h-1, i, j] - 2, u[h, i-1, j-1] + 3)) boundary 0;
	reduce g = max[h, i, j](u[h, i, j]);
}
kernel each(q: i32[m], d: i32[n], e: i32[k, n], first: i32[k+1], length: i32[k], out best: i32[k], out s: i32[m]) {
	let H: i32[k, m, n]; let I: i32[k, m, n]; let J: i32[k, m, n]; let K: i32[m, n];
	wavefront H[b, i, j] = max(H[b, i-1, j-1] + q[i] * e[b, j], H[b, i, j-1] - 2) boundary 0 for b in 0..k, i in 0..m, j in 0..length[b];
	reduce best[b] = max[i in 0..m, j in 0..length[b]](H[b, i, j]);
	wavefront I[b, i, j] = max(I[b, i-1, j-1] + q[i] * e[b, j], I[b, i, j-1] - 2) boundary 0 for b in 0..k, i in 0..m, j in 0..length[b];
	reduce best[b] = max[i, j](I[b, i, j]);
	wavefront J[b, i, j] = max(J[b, i-1, j-1] + q[i] * d[first[b] + j], J[b, i, j-1] - 2) boundary 0
		for b in 0..k, i in 0..m, j in 0..first[b+1] - first[b];
	reduce best[b] = max[i in 0..m, j in 0..first[b+1] - first[b]](J[b, i, j]);
	wavefront K[i, j] = max(K[i-1, j-1] + q[i] * d[j], K[i, j-1] - 2) boundary 0;
	reduce s[i] = max[j](K[i, j]);
}
kernel lined(p: i32[m, 9], out best: i32, out right: i32[m]) {
	let a: i32[m, 9]; let b: i32[8, 9]; let d: i32[m, 9];
	wavefront b[i, j] = max(b[i-1, j] - 2, b[i-1, j-1] + 3) boundary 0;
	reduce best = max[j](b[7, j]) + b[7, 8];
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 2, a[i-1, j-1] + 3)) boundary 0;
	reduce best = max[i](a[i, 8] - a[i, 0]);
	wavefront d[i, j] = max(p[i, j], max(d[i-1, j] - 2, d[i-1, j-1] + 3)) boundary 0;
	map right[i] = d[i, 8] - d[i, 0] + d[i, 1];
}
schedule stored for cuda { table: sweep diagonal; }
kernel unscored(q: u8[m], d: u8[l, n], out best: i32[l]) {
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(H[k, i, j-1] - 2, H[k, i-1, j] - 2, H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}
kernel paired(q: u8[m], d: u8[l, n], gap: i32, out best: i32[l]) {
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(H[k, i, j-1] - gap, H[k, i-1, j] - gap, H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}
schedule paired for cuda { all: pack 16; }
kernel unpaired(q: u8[m], d: u8[l, n], out best: i32[l]) {
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(H[k, i, j-1] - 2, H[k, i-1, j] - 2, H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}
schedule unpaired for cuda { all: no pack; }
kernel kept(q: u8[m], d: u8[l, n], out H: i32[l, m, n]) {
	all: wavefront H[k, i, j] = max(H[k, i, j-1], H[k, i-1, j], H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1)) boundary 0;
}
kernel banded(w: i64, p: i32[m, m], inout a: i32[m, m]) {
	wavefront a[i, j] = max(p[i, j], max(a[i-1, j] - 1, a[i, j-1] - 1)) boundary 0 for i in 0..m, j in max(0, i - w)..min(m, i + w);
}
kernel framed(p: i32[m, n], inout a: i32[m, n]) {
	wavefront a[i, j] = max(p[i, j], a[i, j-1] - 1) boundary 0 for i in 1..m, j in 1..n;
}
kernel whole_rows(p: i32[m, n], inout a: i32[m, n]) {
	wavefront a[i, j] = max(p[i, j], a[i, j-1] - 1) boundary 0 for i in 1..m;
}
kernel sparse(row: i32[n+1], col: i32[nnz], v: f32[nnz], b: f32[n], out x: f32[n]) {
	wavefront x[i] = b[i] - sum[e in row[i]..row[i+1]](v[e] * x[col[e]]);
}
kernel parents(parent: i32[n], out depth: i32[n]) {
	wavefront depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
}
kernel systems(a: f32[n, n], b: f32[n, m], out x: f32[n, m], out most: f32) {
	wavefront x[i, c] = (b[i, c] - sum[j in 0..i](a[i, j] * x[j, c])) / a[i, i];
	reduce most = max[i, c](x[i, c]);
}
