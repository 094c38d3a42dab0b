// search(x, v[, upper]) in every pattern, over parameters, temporaries and tables.
const EDGE: f32[4] = [0, 1, 10, 100];

kernel probes(x: f32[n], q: f32[m], out at: i64[m], out above: i64[m]) {
	map at[i] = search(x, q[i]);
	map above[i] = search(x, q[i], upper);
}
kernel bins(edge: f64[k], x: f64[n], inout h: i32[k]) {
	histogram h[search(edge, x[i], upper) - 1] += 1 drop;
}
kernel table(x: f32[n], inout h: u32[4], out most: i64) {
	scatter h[search(EDGE, x[i], upper) - 1] += 1 drop;
	reduce most = max[i](search(EDGE, x[i]));
}
kernel owners(length: i32[n], inout owner: i64[m]) {
	let end: i64[n];
	scan end[i] = sum(i64(length[i] & 3));
	map owner[p] = search(end, p, upper);
}
kernel joined(a: u32[n], b: u32[m], out only: u32[n], out k: i64, out both: i64, out first: i64) {
	compact only, k = a[i] where search(b, a[i]) == search(b, a[i], upper);
	reduce both = sum[i](search(b, a[i], upper) - search(b, a[i]));
	let place: i64 = search(b, 7);
	map first = place;
}
kernel around(x: i16[n], y: i16[m], inout s: i64[m], out r: i64[m], out w: i64[m], out g: i64[m]) {
	stencil s[i] = search(x, y[i-1]) + search(x, y[i+1], upper) boundary clamp;
	scan r[i] = sum(search(x, y[i]));
	scan w[i] = max(w[i-1], search(x, y[i], upper)) from 0;
	gather g[i] = search(x, y[m - 1 - i]);
}
kernel turned(x: u8[n], a: u8[k, m], out t: i64[m, k], inout most: i64[k]) {
	transpose t[j, i] = search(x, a[i, j]);
	reduce most[i] = max[j where search(x, a[i, j]) > 0](search(x, a[i, j])) where search(x, 3) >= 0;
}
kernel swept(x: i32[k], p: i32[n, m], out A: i32[n, m]) {
	wavefront A[i, j] = max(A[i-1, j], A[i, j-1]) + i32(search(x, p[i, j])) boundary 0;
}
kernel tested(x: f32[n], q: f32[m], which: i32[k], inout at: i64[k]) {
	gather at[i] = which[i] == 3 ? -1 : search(x, q[which[i]]);
}
kernel steps(t: i64, x: i64[n], inout y: i64[n]) {
	repeat s < min(t, 3) {
		if s % 2 == 0 { map y[i] = search(x, y[i] + s); } else { map y[i] += 1; }
	}
}
kernel sorted(x: f32[n], out y: f32[n], out rank: i64[n]) {
	map y[i] = x[i];
	sort y;
	map rank[i] = search(y, x[i]);
}

test places {
	probes(x = [1, 2, 2, 5], q = [0, 1, 2, 3, 6]) -> at = [0, 0, 1, 3, 4], above = [0, 1, 3, 3, 4];
	probes(n = 0, q = [1, 2]) -> at = [0, 0], above = [0, 0];
	probes(x = [1, 2], q = [nan]) -> at = [0], above = [2];
	bins(edge = [0, 1, 4], x = [-1, 0, 0.5, 3, 4, 9], h = 0) -> h = [2, 1, 2];
	table(x = [0, 5, 5, 1000], h = 0) -> h = [1, 2, 0, 1], most = 4;
	owners(length = [2, 0, 1, 3], owner = [9, 9, 9, 9, 9, 9, 9]) -> owner = [0, 0, 2, 3, 3, 3, 4];
	joined(a = [1, 7, 9], b = [0, 7, 7, 8]) -> k = 2, both = 2, first = 1;
	tested(x = [1, 2], q = [5, 0], which = [0, 1, 3, 7], at = 4) -> at = [2, 0, -1, 4] status index;
	steps(t = 2, x = [0, 2, 4], y = [1, 3, 9]) -> y = [2, 3, 4];
	sorted(x = [3, 1, 2, 1]) -> y = [1, 1, 2, 3], rank = [3, 0, 2, 0];
}
