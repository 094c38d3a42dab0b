// Items, scans, sorts: what a condition leaves out is read by nobody.
kernel kept(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] where i == 0 || x[i] > x[i-1];
}
kernel kept_ahead(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] where i + 1 < n && x[i] > x[i+1];
}
kernel kept_value(x: f32[n], out y: f32[n], out z: f32[n], out k: i64) {
	compact y, k = i + 1 < n ? x[i+1] : 0 where x[i] > 0 else z;
}
kernel kept_guarded(x: f32[n], w: f32[p], out y: f32[n], out k: i64) {
	compact y, k = w[i] where i < p && x[i] > 0 for i in 0..n;
}
kernel kept_beside(x: f32[n], w: f32[p], out y: f32[n], out k: i64) {
	compact y, k = x[i] where i < p && w[i] > 0 for i in 0..n;
}
kernel kept_both(x: u8[n], w: u8[p], out y: u8[n], out z: u8[n], out k: i32) {
	compact y, k = i < p ? w[i] : x[i] where x[i] > 3 else z for i in 0..n;
}
kernel kept_unordered(x: f32[n], w: f32[p], out y: f32[n], out k: i64) {
	compact y, k = i < p ? w[i] : x[i] where x[i] > 0 && (i >= p || w[i] < 3) unordered for i in 0..n;
}
kernel kept_plane(x: f32[n, m], out y: f32[k], out nn: i64) {
	compact y, nn = i > 0 ? x[i-1, j] : 0 where j + 1 < m && x[i, j+1] > 0;
}
kernel kept_chosen(x: f32[n], at: i32[m], out y: f32[m], out k: i64) {
	compact y, k = x[at[i]] where at[i] >= 0 && at[i] < n;
}
kernel kept_row(x: f32[n, m], out y: i64[n], out k: i64) {
	compact y, k = i where i > 0 && sum[j](x[i-1, j]) > 2 for i in 0..n;
}
kernel scans(x: f32[n], out y: f32[n], out z: f32[n], out w: i64[n]) {
	scan y[i] = sum(i > 0 ? x[i-1] : 0);
	scan z[i] = max(i + 1 < n ? x[i+1] : 0) from right;
	scan w[i] = count(i > 0 && x[i] != x[i-1]) exclusive;
}
kernel scans_short(x: f32[p], out y: f32[n], out z: f32[n]) {
	scan y[i] = sum(i < p ? x[i] : 0);
	scan z[i] = sum[i](i < p ? x[i] * 2 : 1);
}
kernel scans_rows(x: f32[p, m], out y: f32[n, m], out z: f32[n, m]) {
	scan y[i, j] = sum[j](i < p ? x[i, j] : 0);
	scan z[i, j] = sum[i](i < p ? x[i, j] : 0);
}
kernel scans_outside(x: f32[n, m], out y: f32[n, m]) {
		scan y[i, j] = sum[j](i > 0 ? x[i-1, j] : 0);
}
kernel recurs(x: f32[n], b: f32[p], out y: f32[n], out z: f32[n]) {
	scan y[i] = (i < p ? b[i] : 1) * y[i-1] + x[i];
	scan z[i] = 0.5 * z[i-1] + (i > 0 ? x[i-1] : 0);
}
kernel recurs_rows(x: f32[p, m], out y: f32[n, m]) {
	scan y[i, j] = 0.5 * y[i-1, j] + (i < p ? x[i, j] : 0);
}
kernel recurs_along(x: f32[n, p], out y: f32[n, m]) {
	scan y[i, j] = 0.5 * y[i, j-1] + (j < p ? x[i, j] : 0);
}
kernel segments(x: f32[p], off: i32[k+1], out y: f32[n]) {
	scan y[i] = sum(i < p ? x[i] : 0) segments off;
}
kernel heads(x: f32[p], h: u8[n], out y: f32[n]) {
	scan y[i] = sum(i < p ? x[i] : 0) heads h;
}
kernel keys(x: f32[p], h: u8[n], out y: f32[n]) {
	scan y[i] = sum(i < p ? x[i] : 0) keys h;
}
kernel added(x: f32[n], w: f32[p], at: i32[n], inout y: f32[m]) {
	scatter y[at[i]] += i < p ? w[i] * x[i] : 0 drop;
	scatter y[at[i]] += x[i] where at[i] >= 0 && at[i] < m;
}
kernel added_before(x: f32[n], at: i32[n], inout y: f32[m]) {
	scatter y[at[i-1]] += x[i-1] where i > 0 for i in 0..n drop;
}
kernel added_rows(x: f32[p, l], at: i32[n], inout y: f32[m, l]) {
	scatter y[at[i], j] += x[i, j] where i < p drop;
}
kernel strictly(x: f32[p], at: i32[n], inout y: f32[m]) {
	scatter y[at[i]] += x[i] where i < p drop strict;
}
kernel moved(x: f32[p], at: i32[n], inout y: f32[m]) {
	scatter y[at[i]] = i < p ? x[i] : 1 unique drop;
}
kernel shifted(x: f32[n], inout y: f32[n]) {
	scatter y[i+1] = x[i] where i + 1 < n unique;
}
kernel counted(x: u8[n], w: u8[p], inout h: u32[256], inout g: u32[256]) {
	histogram h[x[i]] += 1 where i < p && w[i] > 2 for i in 0..n;
	histogram g[i < p ? w[i] : x[i]] += 1 for i in 0..n;
}
kernel counted_few(x: i32[n], w: i32[p], inout h: i32[m]) {
	histogram h[x[i]] += w[i] where i < p && x[i] >= 0 && x[i] < m for i in 0..n;
}
kernel counted_pairs(x: u8[n], inout h: u32[256]) {
	histogram h[x[i-1]] += 1 where i > 0 && x[i] > 3 for i in 0..n;
}
kernel sorted(x: f32[p], inout key: f32[n], inout val: f32[n]) {
	map key[i] = i < p ? x[i] : -1;
	sort key with val stable;
}
kernel segsorted(x: f32[p, 8], inout key: f32[m, 8], out at: i32[m, 8]) {
	map key[i, j] = i < p ? x[i, j] : 0;
	segsort key by > into at;
}
