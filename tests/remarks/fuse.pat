// patc --target=cuda
// Which maps are computed where they are read, which folds run behind a stencil, and why not.
fn g(x: f32) -> f32 = 2 * x + 1;
const TAB: f32[4] = [1, 2, 3, 4];
struct Pair { x, y: f32 }

kernel into(x: f32[n], a: f32[n, m], out y: f32[n], out z: f32[n], out c: f32[n, m], out s: f32) {
	let t: f32[n];
	let u: f32[n];
	let v: f32[n, m];
	once: map t[i] = 2 * x[i];
	first: map y[i] = t[i] + 1;
	folded: map u[i] = x[i] * x[i];
	second: reduce s = sum[i](u[i]);
	cheap: map v[i, j] = a[i, j] + 1;
	third: stencil c[i, j] = v[i-1, j] + v[i+1, j] boundary clamp;
	kept: map z[i] = x[i];
}
kernel not_into(x: f32[n], x1: f32[n], x2: f32[n], x3: f32[n], x4: f32[n], x5: f32[n], out y: f32[n], out z: f32[n], inout w: f32[n], k: i32[n]) {
	let t1: f32[n]; let t2: f32[n]; let t3: f32[n]; let t4: f32[n]; let t5: f32[n]; let t6: f32[n];
	let t7: f32[n]; let t8: f32[n]; let t9: f32[n]; let ta: f32[n]; let tb: f32[n]; let e: f32;
	let p: Pair[n];
	several: map t1[i] = x[i], t2[i] = -x[i];
	masked: map t3[i] = x[i] where x[i] > 0;
	shared: map t4[i] = x[i] + 1;
	table: map t5[i] = TAB[k[i]];
	in_place: map t6[i] = t6[i] + x1[i];
	part: map p[i].x = x2[i];
	scalar: map e = 3;
	overtaken: map t7[i] = w[i] + 1;
	overwrites: map t8[i] = w[i] + 2 strict;
	large: map t9[i] = g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(x[i]))))))))))))))))))))))))));
	unread: map ta[i] = 2 * x3[i];
	again: map ta[i] = 3 * x4[i];
	unused: map tb[i] = 2 * x5[i];
	map y[i] = t1[i] + t2[i] + t3[i] + t4[i] + p[i].x + e;
	map w[i] = t8[i];
	map y[i] += t7[i] + t9[i] + t4[i];
	tested: map z[i] = t5[i] + t6[i];
}
kernel not_there(x: f32[n], x1: f32[n], x2: f32[n], out y: f32[n], out z: f32[n], out q: f32[n], steps: i32, k: i32[n]) {
	let t1: f32[n]; let t2: f32[n]; let t3: f32[n];
	inside: map t1[i] = 2 * x[i];
	behind: map t2[i] = 3 * x1[i];
	lookup: map t3[i] = 4 * x2[i];
	repeat t < steps { map y[i] = t1[i]; }
	map z[i] = t2[i];
	map q[i] = t3[i] + TAB[k[i]];
}
kernel rounded(x: f32[n], out y: f32[n]) {
	let t: f32[n];
	loose: map t[i] = 2 * x[i] + 1;
	map y[i] = t[i] + 1 strict;
}
kernel swapped(x: f32[n], out y: f32[n]) {
	let t: f32[n];
	exchanged: map t[i] = 2 * x[i];
	map y[i] = x[i];
	swap t, y;
}
kernel edges(a: f32[n, m], a1: f32[n, m], a2: f32[n, m], v: f32[m], out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	let t: f32[n, m];
	let u: f32[n, m];
	let w: f32[n, m];
	value: map t[i, j] = a[i, j] + 1;
	stencil b[i, j] = t[i-1, j] boundary 0;
	other: map u[i, j] = a1[i, j] + v[j];
	stencil c[i, j] = u[i-1, j] boundary clamp;
	dear: map w[i, j] = a2[i, j] * a2[i, j] * a2[i, j] + 1;
	stencil d[i, j] = w[i-1, j] + w[i+1, j] boundary clamp;
}
kernel folds(a: f32[n, n], x: f32[n], k: i32[n], p: Pair[n], out b: f32[n, n], out c: f32[n], out q: Pair[n], inout e: f32, out r: f32[n]) {
	here: stencil b[i, j] = a[i-1, j] + a[i, j+1] boundary wrap;
	behind: reduce e = sum[i, j](b[i, j] * b[i, j]);
	stencil b[i, j] = a[i-1, j] boundary wrap;
	transposed: reduce e = sum[i, j](b[j, i]);
	stencil b[i, j] = a[i-1, j] boundary wrap;
	apart: reduce e = sum[i, j](a[i, j]);
	stencil b[i, j] = a[i-1, j] boundary wrap;
	half: reduce e = sum[i, j in 1..n](b[i, j]);
	stencil b[i, j] = a[i-1, j] boundary wrap;
	nine: reduce e = sum[i, j](b[i, j]) + max[i, j](b[i, j]) + min[i, j](b[i, j]) + prod[i, j](b[i, j])
		+ sum[i, j](-b[i, j]) + max[i, j](-b[i, j]) + min[i, j](-b[i, j]) + prod[i, j](-b[i, j]) + sum[i, j](2 * b[i, j]);
	stencil b[i, j] = a[i-1, j] * e boundary wrap;
	back: reduce e = sum[i, j](b[i, j]);
	stencil c[i] = x[i-1] + TAB[k[i]] boundary wrap;
	looked: reduce e = sum[i](c[i]);
	stencil q[i].x = x[i-1] boundary wrap;
	parts: reduce e = sum[i](q[i].x);
	alone: reduce e = sum[i](x[i]);
	rows: reduce r[i] = sum[j](a[i, j]);
	masked: reduce e = sum[i](x[i]) where e > 0;
}
op pick(a: f32, b: f32) -> f32 = a != 0 ? a : b identity 0, associative;
kernel ordered(a: f32[n], out b: f32[n], out e: f32) {
	stencil b[i] = a[i-1] boundary wrap;
	reduce e = pick[i](b[i]);
}
kernel ragged(x: f32[n], out y: f32[m]) {
	let off: i64[m+1];
	offsets: map off[i] = 3 * i;
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
kernel running(x: f32[n, m], b: f32[n], out y: f32[n, m], out z: f32[n, m]) {
	let h: bool[n];
	let t: f32[n, m];
	let u: f32[n, m];
	heads: map h[i] = b[i] > 0;
	cheap: map t[i, j] = 2 * x[i, j];
	scan y[i, j] = sum[i](t[i, j]) heads h;
	dear: map u[i, j] = 2 * x[i, j] * x[i, j] + x[i, j] * b[i] - 1;
	scan z[i, j] = 0.5 * z[i-1, j] + u[i, j];
}
kernel places(x: f32[n], k: i32[n], inout h: f32[m], inout g: f32[m], out y: f32[n], out q: Pair[n], out c: i64, out at: i32[n], inout z: f32[n]) {
	let t1: i32[n]; let t2: f32[n]; let t3: i32[n]; let t4: f32[n]; let t5: f32[n]; let t6: Pair[n]; let t7: f32[n]; let t8: f32[n];
	where_to: map t1[i] = i32(3 * x[i]);
	brings: map t2[i] = x[i] * x[i];
	scatter h[t1[i]] += t2[i];
	asked: map t3[i] = 2 * k[i] + k[i] % 7 strict;
	ordered: scatter g[t3[i]] += x[i] strict;
	anywhere: map t4[i] = 2 * x[i];
	gather y[i] = t4[k[i]];
	beside: map t5[i] = sqrt(x[i]) + 1;
	gather y[i] = t5[i] * x[k[i]] - t5[i];
	judged: map t6[i] = Pair(2 * x[i], x[i] + 1);
	compact q, c = t6[i] where t6[i].x > t6[i].y;
	weighed: map t7[i] = 2 * x[i];
	scan z[i] = z[i-1] * TAB[k[i]] + t7[i];
	moved: map t8[i] = 2 * x[i];
	sort t8 into at;
}
kernel together(a: f32[n, m], b: f32[n, m], k: i32[n], inout h: f32[8], inout c: f32[m, n], x: f32[n], out y: f32[n], out z: f32[n]) {
	let t1: i32[n]; let t2: f32[n]; let t3: f32[m, n]; let t4: f32[m, n]; let t5: f32[n]; let t6: f32[n];
	both: map t1[i] = k[i] % 8, t2[i] = x[i] * x[i];
	histogram h[t1[i]] += t2[i];
	turned: transpose t3[j, i] = a[i, j], t4[j, i] = b[i, j];
	map c[j, i] = t3[j, i] + t4[j, i];
	apart: map t5[i] = x[i] - 1, t6[i] = x[i] + 1;
	map y[i] = t5[i] * t5[i];
	map z[i] = t6[i] * x[i];
}
kernel from_anywhere(x: f32[n], j: i32[n], k: i32[n], inout h: f32[m], out y: f32[n], out c: i64, inout z: f32[n], out p: f32[n], out q: f32[n]) {
	let t1: f32[n]; let t2: f32[n]; let t3: i32[n]; let t4: f32[n]; let t5: f32[n]; let t6: f32[n]; let t7: f32[n];
	once: gather t1[i] = x[k[i]];
	map q[i] = t1[i] + 1;
	judged: gather t2[i] = x[k[i]];
	compact y, c = t2[i] where t2[i] > 0;
	asked: gather t3[i] = j[k[i]] strict;
	ordered: scatter h[t3[i]] += x[i] strict;
	masked: gather t4[i] = x[k[i]];
	map z[i] = t4[i] where j[i] > 0;
	silent: gather t5[i] = x[k[i]] drop;
	map z[i] += t5[i] where j[i] > 1;
	counted: gather t6[i] = x[k[i]];
	scan p[i] = sum(t6[i]);
	chosen: gather t7[i] = x[k[i]];
	map z[i] += j[i] > 2 ? t7[i] : 1;
}
kernel turned(a: f32[n, m], k: i32[l], out b: f32[m, l]) {
	let t: f32[l, m];
	rows: gather t[i, j] = a[k[i], j];
	turn: transpose b[j, i] = t[i, j];
}
