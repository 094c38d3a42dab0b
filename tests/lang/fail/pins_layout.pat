struct P { x, y: f32 }
kernel f(x: f32[n], p: P[n], out y: f32[n], out q: P[n, m], inout c: P[n], out s: f32) {
	let t: f32[n];
	let u: P[n];
	let v: P[n];
	let w: f32[n];
	cells: map t[i] = 2 * x[i];
	theirs: map y[i] = t[i];
	gather y[i] = t[n - 1 - i];
	swapped: map u[i] = p[i];
	swap u, c;
	whole: map v[i] = p[i];
	scan v[i].x = sum(p[i].y);
	map q[i, j] = v[i];
	inside: map w[i] = x[i] + 1;
	let z: f32;
	total: reduce z = sum[i](w[i]);
	map s = z;
}
schedule f for cuda {
	cells: layout soa;
	theirs: layout col;
	swapped: layout soa;
	whole: layout aosoa(4);
	inside: layout col;
	total: layout row;
}
