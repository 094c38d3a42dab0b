struct P { x, y: f32 }
struct One { x: f32 }
kernel f(x: f32[n], p: P[n], out y: f32[n], out q: P[n, m], inout c: P[n], out s: f32, out o: One[n], inout r: P[n], inout g: f32[n, m]) {
	let t: f32[n];
	let u: P[n];
	let v: P[n];
	let w: f32[n];
	cells: map t[i] = 2 * x[i];
	theirs: map y[i] = t[i];
	gather y[i] = t[n - 1 - i];
	swapped: map u[i] = p[i];
	other: map u[i].x = 3;
	swap u, c;
	whole: map v[i] = p[i];
	scan v[i].x = sum(p[i].y);
	map q[i, j] = v[i];
	inside: map w[i] = x[i] + 1;
	let z: f32;
	total: reduce z = sum[i](w[i]);
	map s = z;
	one: map o[i].x = x[i];
	runs: scan r[i].x = sum(p[i].y);
	waves: wavefront g[i, j] = max(g[i-1, j], g[i, j-1]) + x[i] boundary 0;
}
schedule f for cuda {
	cells: layout soa;
	theirs: layout tiled(8, 8);
	swapped: layout soa;
	other: layout aosoa(4);
	whole: layout aosoa(4);
	inside: layout col;
	total: layout row;
	one: layout soa;
	runs: layout soa;
	waves: layout tiled(4, 4);
}
