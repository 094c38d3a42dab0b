// Functions that read arrays, where the items of a statement may be outside, too.
fn at(x: i32[n], i: i32) -> i32 = x[i];
fn last(next: i32[n], from: i32) -> i32 {
	var p: i32 = from;
	while p >= 0 && next[p] >= 0 at most 2 { p = next[p]; }
	return p;
}
kernel walks_a(x: i32[n], i: i32[m], inout y: i32[p]) { scatter y[at(x, i[k])] max= last(x, i[k]); }
kernel walks_b(x: i32[n], i: i32[m], inout y: i32[p]) { scatter y[at(x, i[k])] += last(x, i[k]); }
kernel walks_c(x: i32[n], i: i32[m], inout y: i32[p]) { scatter y[i[k]] += last(x, i[k]) drop; }
kernel walks_d(x: i32[n], i: i32[m], inout y: i32[p]) { histogram y[i[k]] += last(x, i[k]) drop; }
kernel walks_e(x: i32[n], i: i32[m], inout y: i32[7]) { histogram y[at(x, i[k])] += last(x, i[k]); }
kernel walks_f(x: i32[n], i: i32[m], inout y: i32[p]) {
	scatter y[at(x, i32(k)) % 100 + i32(k) * 100] = last(x, i[k]) unique drop;
}
kernel walks_g(x: i32[n], i: i32[m], inout y: i32[p], inout z: i32[m]) {
	scatter y[i[k]] += last(x, i[k]) where i[k] > 2 drop;
	map z[k] = last(x, i[k]);
}
kernel walks_h(x: i32[n], i: i32[m], inout y: i32[p], inout z: f32[q]) {
	scatter y[i[k]] += last(x, i[k]), z[at(x, i[k])] max= f32(last(x, i[k] + 1)) drop;
}
kernel walks_i(x: i32[n], i: i32[m, q], inout y: i32[p]) { scatter y[i[k, j]] += last(x, i[k, j]); }
kernel walks_j(x: i32[n], i: i32[m], inout y: i32[p]) { scatter y[i[k]] = last(x, i[k]) unique; }
fn atl(x: i64[n], i: i64) -> i64 = x[i];
fn atf(x: f32[n], i: i32) -> f32 = x[i];
fn spl(x: i32[n], i: i32) -> i32 {
	var s: i32[4] spill;
	for k in 0..4 { s[k] = x[i + k]; }
	return s[i & 3];
}
fn reg(x: i32[n], i: i32) -> i32 {
	var s: i32[4];
	for k in 0..4 { s[k] = x[i + k]; }
	return s[2] + s[3];
}
kernel walkp_where(x: i32[n], i: i32[m], inout y: i32[m]) {
	map y[k] = at(x, i[k]) where last_of(x, i[k]) > 2;
}
kernel walkp_else(x: i32[n], i: i32[m], out y: i32[m]) { map y[k] = at(x, 0) + (i[k] > 0 ? 1 : 3); }
kernel walkp_bound(x: i32[n], i: i32[m], inout y: i32[m]) {
	stencil y[k] = i[k-1] + i[k+1] * spl(x, i[k]) boundary (at(x, 0));
}
kernel walkp_target(x: i32[n], i: i32[m], inout y: i32[p]) { scatter y[at(x, i[k])] += i[k]; }
kernel walkp_scatter(x: i32[n], i: i32[m], inout y: i32[p]) {
	scatter y[at(x, i[k])] += reg(x, i[k]);
}
kernel walkp_scatmax(x: i32[n], i: i32[m], inout y: i32[p]) {
	scatter y[at(x, i[k])] max= last_of(x, i[k]);
}
kernel walkp_gatherdrop(x: i32[n], i: i32[m], inout y: i32[m]) {
	gather y[k] = x[i[k]] + spl(x, i[k]) drop;
}
kernel walkp_approx(x: f32[n], i: i32[m], inout y: f32[m]) {
	map y[k] = sqrt(atf(x, i[k])) / 3.0 approx;
}
kernel walkp_strict(x: f32[n], i: i32[m], inout y: f32[m]) {
	map y[k] = atf(x, i[k]) * 2 + atf(x, 0) strict;
}
kernel walkp_trstrict(x: f32[n], inout y: f32[m]) {
	gather y[k] = n > 0 ? atf(x, i32(n - 1)) * 2 + atf(x, 0) : 0 trusted strict;
}
kernel walkp_repeat(x: i32[n], i: i32[m], inout y: i32[m], t: i32) {
	repeat s < t { map y[k] = y[k] + last_of(x, y[k] + i[k]); }
}
kernel walkp_if(x: i32[n], i: i32[m], inout y: i32[m], t: i32) {
	if t > 2 { map y[k] = last_of(x, i[k]); } else { map y[k] = at(x, i[k]); }
}
kernel walkp_scan(x: f32[n], i: i32[m], inout y: f32[m]) {
	scan y[k] = atf(x, i[k]) * y[k-1] + atf(x, 0);
}
kernel walkp_compact(x: i32[n], i: i32[m], inout y: i32[m], out c: i64) {
	compact y, c = at(x, i[k]) where at(x, i[k]) > 2;
}
kernel walkp_hist(x: i32[n], i: i32[m], inout h: i32[10]) {
	histogram h[at(x, i[k])] += at(x, i[k] + 1);
}
kernel walkp_mm(a: f32[n, k], b: f32[k, m], x: f32[q], inout c: f32[n, m]) {
	matmul c[i, j] = sum[l](a[i, l] * b[l, j]) + atf(x, i32(i));
}
kernel walkp_mm2(a: f32[n, k], b: f32[k, m], x: f32[q], inout c: f32[n, m]) {
	matmul c[i, j] = sum[l](a[i, l] * atf(x, i32(l)) * b[l, j]);
}
kernel walkp_tr(a: f32[n, m], x: f32[q], inout c: f32[m, n]) {
	transpose c[i, j] = a[j, i] * atf(x, i32(i));
}
kernel walkp_argmax(x: i32[n], i: i32[m], inout best: i32) { reduce best = max[k](at(x, i[k])); }
kernel walkp_any(x: i32[n], i: i32[m], inout best: bool[n]) {
	reduce best[j] = any[k](at(x, i[k]) > at(x, i32(j)));
}
kernel walkp_wave(x: i32[n], out h: i32[p, q]) {
	wavefront h[i, j] = max(h[i-1, j], h[i, j-1]) + at(x, i32(i)) boundary (at(x, 0));
}
fn last_of(next: i32[n], from: i32) -> i32 {
	var p: i32 = from;
	while p >= 0 && next[p] >= 0 at most (n / 2 + 1) { p = next[p]; }
	return p;
}
