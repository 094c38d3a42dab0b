// A gather into a temporary is computed where it is read; a cell that it leaves out is zero there, and recorded unless it says `drop`.
struct Pair { a: f32, b: i32 }
kernel counted(x: u8[n], k: i32[m], inout h: u32[256], inout w: f32[16], to: i32[m], f: f32[n]) {
	let v: u8[m]; let u: f32[m];
	fetch: gather v[i] = x[k[i]];
	bins: histogram h[i32(v[i])] += 1;
	found: gather u[i] = f[k[i]] + 1 drop;
	sums: scatter w[to[i]] += u[i] drop;
}
kernel mapped(x: f16[n], z: f32[n], k: i32[m], inout y: f32[m], inout g: f16[m], inout c: i32[m]) {
	let v: f16[m]; let s: f32[m]; let t: f32[m]; let j: i32[m];
	halves: gather v[i] = x[k[i]] * 2 + 1;
	twice: gather s[i] = z[k[i]], t[i] = z[k[i]] - 1;
	map y[i] += s[i] * t[i] + s[i];
	map g[i] = v[i] > 2 ? v[i] * v[i] : 3;
	nested: gather j[i] = c[k[i]] drop;
	map c[i] = j[i] + 1 where i % 3 != 0;
}
kernel folded(x: f32[n], a: f32[n, l], k: i32[m], r: i32[m], out s: f32, out best: f32, out rows: f32[m], out p: i64) {
	let v: f32[m]; let w: f32[m]; let b: f32[m, l]; let q: f32[m];
	gather v[i] = x[k[i]];
	reduce s = sum[i](v[i] * f32(r[i]));
	gather w[i] = x[r[i]] drop;
	reduce best = max[i where k[i] > 0](w[i]);
	gather b[i, j] = a[k[i], j];
	reduce rows[i] = sum[j](b[i, j]);
	gather q[i] = x[k[i]] + 1;
	reduce p = count[i](q[i] == 1);
}
kernel moved(x: i32[n], p: Pair[n], k: i32[m], c: i32[m], inout y: i32[m], out count: i64, out d: f32[m]) {
	let v: i32[m]; let q: Pair[m];
	gather v[i] = x[k[i]];
	compact y, count = c[i] where v[i] != 0;
	gather q[i] = p[k[i]];
	map d[i] = q[i].a + f32(q[i].b);
}
kernel stored(a: f32[n, l], k: i32[m], out b: f32[l, m]) {
	let t: f32[m, l];
	gather t[i, j] = a[k[i], j];
	transpose b[j, i] = t[i, j];
}
kernel affine(x: f32[2*n], out y: f32[n], out s: f32[n]) {
	let v: f32[n]; let w: f32[n];
	even: gather v[i] = x[2*i] + x[2*i+1];
	map y[i] = v[i] * v[i];
	back: gather w[i] = x[n-1-i];
	scan s[i] = sum(w[i]);
}
kernel turned(a: f32[n, l], k: i32[m], out b: f32[l, m], x: u16[n, l], out y: u16[l, n]) {
	let t: f32[m, l]; let u: f32[l, m]; let v: u16[n, l]; let w: u16[l, n];
	rows: gather t[i, j] = a[k[i], j] * 2;
	transpose u[j, i] = t[i, j];
	map b[j, i] = u[j, i] + 1;
	map v[i, j] = 3 * x[i, j];
	transpose w[j, i] = v[i, j];
	map y[j, i] = w[j, i] + 1;
}
kernel again(x: i32[n], k: i32[m], inout h: f32[12], w: f32[m], out y: i32[m], out count: i64) {
	let v: i32[m]; let u: i32[m];
	judged: gather v[i] = x[k[i]] + 1;
	compact y, count = v[i] where v[i] != 0;
	asked: gather u[i] = x[k[i]] strict;
	scatter h[u[i]] += w[i] strict;
}

schedule turned for cpu { rows: fuse; }
schedule again for cpu { judged: fuse; asked: fuse; }
schedule turned for cuda { rows: fuse; }
schedule again for cuda { judged: fuse; asked: fuse; }
schedule turned for hip { rows: fuse; }
schedule again for hip { judged: fuse; asked: fuse; }
test of_lost {
	counted(x = [3, 4], k = [0, 1, 2, -1], h = 0, w = 0, to = [0, 0, 1, 1], f = [5, 6]) -> w = [13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] status index;
}
// A subscript that reads outside leaves out the cell, wherever zero would lead.
kernel twice(k: i32[m], l: i32[n], x: i32[n, 8], out y: i32[n, m]) {
	let t: i32[n, m];
	gather t[i, j] = x[k[k[j]], l[i]] drop;
	map y[i, j] = t[i, j];
}
test of_twice {
	twice(k = [1, 2, 7], l = [0, 1], x = 31, y = 5) -> y = [[0, 0, 0], [0, 0, 0]];
	twice(k = [1, 0, 7], l = [0, 1], x = 31, y = 5) -> y = [[31, 31, 0], [31, 31, 0]];
}
