// Folds under conditions: what a condition leaves out is read by nobody, whoever folds a row's terms.
kernel before(x: f32[t, m, n], h: f32[t, n], out g: f32[t, m]) {
	reduce g[s, k] = x[s, k, 0 * n] + (s > 0 ? sum[i](x[s, k, i] * h[s-1, i]) : 0) where n > 0;
}
kernel steps(wx: f32[t, m, n], u: f32[m, n, n], inout h: f32[t, n]) {
	repeat s < t {
		let g: f32[m, n];
		reduce g[k, j] = wx[s, k, j] + (s > 0 ? sum[i](u[k, j, i] * h[s-1, i]) : 0);
		reduce h[s, j] = sum[k](g[k, j] / 16);
	}
}
kernel after(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = i + 1 < n ? max[j](x[i+1, j]) : -1;
}
kernel sides(x: i32[n, m], out y: i32[n]) {
	reduce y[i] = (i > 0 ? sum[j](x[i-1, j]) : 7) - (i + 1 < n ? sum[j](x[i+1, j]) : 9);
}
kernel otherwise(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = i == 0 ? 0 : i + 1 >= n ? min[j](x[i-1, j]) : sum[j](x[i-1, j] * x[i+1, j]);
}
kernel asked(x: i32[n, m], out y: bool[n], out z: bool[n]) {
	reduce y[i] = i > 0 && any[j](x[i-1, j] > 2);
	reduce z[i] = i + 1 == n || all[j](x[i+1, j] > x[i, j]);
}
kernel by_size(x: f32[p, m], out y: f32[n]) {
	reduce y[i] = i < p ? sum[j](x[i, j]) : 0.5;
}
kernel within(x: f32[p, m], out y: f32[n]) {
	reduce y[i] = sum[j in 0..m](i < p ? x[i, j] : 1);
}
kernel within_back(x: f32[n, m], w: f32[m], out y: f32[n]) {
	reduce y[i] = sum[j](i > 0 ? x[i-1, j] * w[j] : w[j]);
}
kernel masked(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[j in 0..m where i > 0](x[i-1, j]);
}
kernel masked_by(x: i32[n, m], out y: i32[n]) {
	reduce y[i] = sum[j in 0..m where i > 0 && x[i-1, j] > 0](x[i-1, j] * 2);
}
kernel left_out(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[j](x[i+1, j]) where i + 1 < n;
}
kernel some_of(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[j in 0..m where j > 0](x[i, j-1]) + sum[j in 0..m where j + 1 < m](x[i, j+1]);
}
kernel neighbours(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[j in 0..m](j > 0 ? x[i, j-1] : 0) + sum[j in 0..m](j + 1 < m ? x[i, j+1] : 0);
}
kernel columns(x: f32[n, m], out y: f32[m]) {
	reduce y[j] = j > 0 ? sum[i](x[i, j-1]) : 0;
}
kernel columns_after(x: f32[n, m], out y: f32[m]) {
	reduce y[j] = j + 1 < m ? max[i](x[i, j+1]) : 0;
}
kernel columns_within(x: f32[n, m], out y: f32[m]) {
	reduce y[j] = sum[i](j + 1 < m ? x[i, j+1] : 0.5) + sum[i in 0..n](i > 0 ? x[i-1, j] : 0);
}
kernel columns_masked(x: f32[n, p], out y: f32[m]) {
	reduce y[j] = sum[i in 0..n where j < p](x[i, j]);
}
kernel total(x: f32[t, n], s: i32, out y: f32) {
	reduce y = s > 0 && s <= t ? sum[i](x[s-1, i]) : 0;
}
kernel total_within(x: f32[t, n], s: i32, out y: f32) {
	reduce y = sum[i in 0..n](s > 0 && s <= t ? x[s-1, i] : 0);
}
kernel total_masked(x: f32[t, n], out y: f32) {
	reduce y = sum[i in 0..n where t > 2](x[2, i]);
}
kernel total_guarded(x: f32[t, n], out y: f32) {
	reduce y = t > 2 ? sum[i](x[2, i]) : -1;
}
kernel total_first(x: f32[n], w: f32[p], out y: f32, out z: f32) {
	reduce y = n > 0 ? sum[i in 0..p](x[0] * w[i]) : 0;
	reduce z = sum[i in 0..p where i < n](x[i]);
}
kernel total_pairs(x: i32[n], out y: i64, out z: i64) {
	reduce y = count[i](i > 0 && x[i] != x[i-1]);
	reduce z = count[i in 0..n where i + 1 < n](x[i] < x[i+1]);
}
kernel total_both(x: f32[n], w: f32[n], out y: f32, out at: i64) {
	reduce y, at = argmax[i in 0..n](i > 0 && i + 1 < n ? x[i-1] * w[i+1] : -1);
}
kernel whole(x: f32[n, m], out y: f32) {
	reduce y = sum[i in 0..n, j in 0..m](i > 0 && j > 0 ? x[i-1, j-1] : 0);
}
kernel whole_last(x: f32[n, m], out y: f32) {
	reduce y = sum[i in 0..n, j](i + 1 < n ? x[i+1, j] : 0);
}
kernel planes(x: f32[l, n, m], out y: f32[l]) {
	reduce y[k] = k > 0 ? sum[i, j](x[k-1, i, j]) : 0;
}
kernel planes_within(x: f32[l, n, m], out y: f32[l]) {
	reduce y[k] = sum[i, j](k + 1 < l ? x[k+1, i, j] : 0.25);
}
kernel best(x: f32[n, m], out y: f32[n], out at: i64[n]) {
	reduce y[i], at[i] = argmin[j](i > 0 ? x[i-1, j] : x[i, j]);
}
kernel ordered(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = i > 0 ? sum[j](x[i-1, j]) : 0 strict;
}
struct Two { a, b: f32 }
op then(p: Two, q: Two) -> Two = Two(p.a * q.a, p.b * q.a + q.b) identity Two(1, 0), associative;
kernel composed(x: Two[n, m], out y: Two[n]) {
	reduce y[i] = i > 0 ? then[j](x[i-1, j]) : Two(2, 3);
}
kernel halves(x: f16[n, m], out y: f32[n]) {
	reduce y[i] = i + 1 < n ? sum[j](f32(x[i+1, j])) : 0;
}
kernel bytes(x: u8[n, m], out y: i32[n]) {
	reduce y[i] = sum[j](i > 0 ? i32(x[i-1, j]) : 3);
}
kernel triangle(x: f64[n, n], out y: f64[n]) {
	reduce y[i] = i > 0 ? sum[j in 0..i](x[i-1, j]) : 0;
}
kernel cut(x: f64[n, m], k: i64, out y: f64[n]) {
	reduce y[i] = k >= 0 && k < n ? sum[j](x[k, j] * x[i, j]) : 0;
}
kernel data(x: f32[n, m], on: i32[n], out y: f32[n]) {
	reduce y[i] = on[i] > 0 && i > 0 ? sum[j](x[i-1, j]) : 0;
}
kernel chosen(x: f32[n, m], at: i32[p], out y: f32[p]) {
	reduce y[i] = at[i] >= 0 && at[i] < n ? sum[j](x[at[i], j]) : -2;
}
kernel chosen_within(x: f32[n], at: i32[p, m], out y: f32[p]) {
	reduce y[i] = sum[j](at[i, j] >= 0 && at[i, j] < n ? x[at[i, j]] : 0);
}
kernel chosen_masked(x: f32[n], at: i32[p, m], ok: bool[p], out y: f32[p]) {
	reduce y[i] = ok[i] ? sum[j in 0..m where at[i, j] >= 0 && at[i, j] < n](x[at[i, j]]) : 0;
}
kernel chosen_asked(x: f32[n], at: i32[p, m], ok: bool[p], out y: f32[p]) {
	reduce y[i] = ok[i] ? sum[j](x[at[i, j]]) : 0;
}
kernel two_folds(x: f32[n, m], out y: f32[n]) {
	reduce y[i] = sum[j](x[i, j]) > 3 && i > 0 ? max[j](x[i-1, j]) : 0;
}
kernel shared(x: f32[n, m], out y: f32[n], out z: f32[n]) {
	reduce y[i] = i > 0 ? sum[j](x[i-1, j]) : 0, z[i] = sum[j](x[i, j]);
}
kernel nested(x: f32[n, m, m], out y: f32[n]) {
	reduce y[i] = sum[j](i > 0 ? sum[k](x[i-1, j, k]) : 0);
}
kernel long_rows(x: f32[2, n], out y: f32[2]) {
	reduce y[i] = i > 0 ? sum[j](x[i-1, j]) : 0;
}
kernel diagonal(x: f32[n, n], out y: f32) {
	reduce y = sum[i in 0..n](i > 0 ? x[i-1, i] : 0);
}
kernel col_major(x: f32[n, m] layout col, out y: f32[m]) {
	reduce y[j] = j > 0 ? sum[i](x[i, j-1]) : 0;
}
struct P { a: f32, b: i32 }
kernel fields(x: P[n, m] layout soa, z: P[n, m], out y: f32[n]) {
	reduce y[i] = i > 0 ? sum[j](x[i-1, j].a * z[i-1, j].a) : 0;
}
kernel pitched(x: f32[n, m] layout row(p), out y: f32[n]) {
	reduce y[i] = i > 0 ? sum[j](x[i-1, j]) : 0;
}
// What is tested at run time waits for the folds that say whether it is read at all.
kernel waits(x: f32[n], at: i32[p, m], out y: f32[p]) {
	reduce y[i] = min[j](at[i, j]) >= 0 && max[j](at[i, j]) < n ? sum[j](x[at[i, j]]) : 0;
}
kernel waits_total(x: f32[n], at: i32[p], out y: f32) {
	reduce y = all[j](at[j] >= 0 && at[j] < n) ? sum[j](x[at[j]]) : -1;
}
kernel waits_ragged(row: i32[m+1], on: i32[m], x: f32[nnz], out y: f32[m]) {
	reduce y[r] = sum[e in row[r]..row[r+1]](x[e]) > 2 && on[r] > 0 ? sum[e in row[r]..row[r+1]](x[e] * x[e]) : 0;
}
kernel waits_before(x: f32[n], at: i32[p, m], out y: f32[p]) {
	reduce y[i] = i > 0 && any[j](at[i-1, j] == 3) ? sum[j](x[at[i-1, j]]) : 0 drop;
}
test what_is_left_out {
	before(x = [[[1, 2]], [[3, 4]]], h = [[5, 6], [7, 8]]) -> g = [[1], [42]];
	sides(x = [[1, 2], [3, 4], [5, 6]]) -> y = [0, -8, -2];
	waits(x = [1, 2], at = [[0, 1], [0, 7], [-1, 0]]) -> y = [3, 0, 0];
	waits_total(x = [1, 2], at = [1, 2]) -> y = -1;
}
