// patc --target=cuda
// What layouts cost: structs that come whole, or lane by lane; rows that are columns.
struct P { x, y, z: f32 }
struct Wide { p, v: P, m, q: f32 }
struct Huge { f: f32[64] }
struct One { x: f32 }
kernel whole(p: P[n], out q: P[n], out r: P[n] layout soa, inout w: Wide[n], out z: f32[n]) {
	copied: map q[i] = p[i];
	apart: map r[i] = P(p[i].z, p[i].y, q[i].x);
	moved: map w[i].p.x = w[i].p.x + w[i].v.x, w[i].p.y = w[i].p.y + w[i].v.y, w[i].p.z = w[i].p.z + w[i].v.z;
	numbered: map q[i].x = f32(i), q[i].y = 1, q[i].z = 2;
	cold: map z[i] = w[i].m;
	hot: map w[i].m = z[i];
}
kernel not_whole(p: P[n], h: Huge[n], o: One[n], pp: P[n, m], x: f32[m], out z: f32[n], inout q: P[n], out r: Huge[n], out s: One[n], out y: P[n, m], out u: P) {
	near: gather q[i] = p[n - 1 - i];
	huge: map r[i] = h[i];
	word: map s[i] = o[i];
	plane: map y[i, j] = P(x[j], pp[i, j].y, pp[i, j].z);
	alone: map u = P(1, 2, 3);
	elsewhere: gather z[i] = p[n - 1 - i].x;
}
kernel pinned(p: P[n], out q: P[n], out t: P[n]) {
	cached: map q[i] = p[i];
	several: map t[i] = p[i];
}
schedule pinned for cuda { cached: stage l1; several: coarsen 4; }
kernel all(p: P[n], out q: P[n]) { map q[i] = p[i]; }
schedule all for cuda { stage registers; tile 32; }
kernel turned(x: f32[n, m] layout col, y: f32[n, m], out z: f32[n, m]) {
	map z[i, j] = x[i, j] + y[i, j];
}
kernel temporaries(p: P[n, m], at: i32[k], inout q: f32[n, m], out r: f32[k], inout s: P[n, m], out u: P[m]) {
	let t: P[n, m];
	let v: P[k];
	let w: P[n, m];
	let y: P[n, m];
	plain: map t[i, j] = P(p[i, j].x + q[i, j], p[i, j].y, p[i, j].z);
	stencil q[i, j] = t[i-1, j].x + t[i+1, j].y boundary P(0, 0, 0);
	line: map v[i] = P(f32(i), 1, 2);
	gather r[i] = v[at[i]].x + v[at[i]].z drop;
	swapped: stencil w[i, j].x = s[i-1, j].x, w[i, j].y = s[i+1, j].y, w[i, j].z = 1 boundary clamp;
	swap s, w;
	map y[i, j] = P(p[i, j].x, q[i, j], 1);
	scan y[i, j].x = sum[j](p[i, j].x);
	map u[j] = y[n - 1, j] where n > 0;
}
kernel folded(p: P[n, m], out most: f32, out q: P[n, m]) {
	let z: P[n, m];
	stencil z[i, j] = P(p[i-1, j].x, p[i+1, j].y, 0) boundary clamp;
	reduce most = max[i, j](z[i, j].x);
	map q[i, j] = z[i, j];
}
kernel stored(x: f32[n, m], p: P[n, m], out y: f32[m, n], out q: P[n, m], out z: f32[m, n], t: i32) {
	let a: f32[m, n];
	let b: P[n, m];
	let c: P[n, m];
	let d: f32[n, m];
	let e: P[n, m];
	let g: P[n, m];
	columns: transpose a[j, i] = x[i, j];
	transpose y[j, i] = a[j, i] * x[i, j];
	gather z[j, i] = a[m - 1 - j, i] + x[i, j];
	both: map b[i, j] = p[i, j];
	repeat s < t { stencil c[i, j] = P(b[i-1, j].x, b[i, j].z, 0) boundary clamp; swap b, c; }
	map q[i, j] = b[i, j];
	turned: map d[i, j] = x[i, j] + 1;
	blocks: map e[i, j] = p[i, j];
	plain: map g[i, j] = p[i, j];
	stencil q[i, j] = P(d[i-1, j] + e[i, j-1].x + g[i+1, j].x, 0, 0) boundary clamp;
}
schedule stored for cuda { turned: no fuse, layout col; blocks: no fuse, layout col aosoa(16); plain: no fuse, layout row aos; }
kernel tiles(x: f32[n, m], out y: f32[n, m], out z: f32[n, m], v: f32[n]) {
	let a: f32[n, m];
	let b: f32[n, m];
	let c: f32[n];
	map a[i, j] = x[i, j];
	scan b[i, j] = sum[j](x[i, j]);
	map c[i] = v[i];
	gather y[i, j] = a[n - 1 - i, j] + b[n - 1 - i, j] + c[n - 1 - i];
}
schedule tiles for cuda { layout tiled(8, 8); no fuse; }
kernel unfit(x: f32[n], o: One[n, m], p: P[n], out y: f32[n]) {
	let a: f32[n];
	let b: One[n, m];
	let c: P[n];
	map a[i] = x[i];
	map b[i, j] = o[i, j];
	map c[i] = p[i];
	gather y[i] = a[n - 1 - i] + b[n - 1 - i, 0].x + c[n - 1 - i].x where m > 0;
}
schedule unfit for cuda { layout col soa; no fuse; }
kernel kept(t: i32, inout p: P[n], out q: P[n], out y: f32[n, m], x: f32[n, m], inout z: f32[n, m] layout col) {
	let b: P[n];
	repeat s < t { step: stencil b[i] = P(p[i-1].x, p[i+1].y, p[i].z) boundary clamp; swap p, b; }
	fills: map q[i] = P(p[i].y, 1, 2);
	part: map y[i, j] = x[i, j] where x[i, j] > 0;
	same: map z[i, j] = z[i, j] + x[i, j];
}
schedule kept for cuda { step: layout soa; fills: layout aosoa(8); part: layout tiled(8, 8); same: layout col; }
struct R { x, y, z, vx, vy, vz: f32 }
kernel loops(t: i32, inout p: R[n], q: R[n], r: R[n], inout s: R[n], inout x: f32[n]) {
	repeat a < 9 { moved: map p[i].x += p[i].vx; }
	repeat a < 9 { read: map x[i] += q[i].y; }
	repeat a < 2 { few: map x[i] += r[i].y; }
	repeat a < t { data: map s[i].x += s[i].vx; }
}
