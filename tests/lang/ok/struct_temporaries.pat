// Temporaries of structs, stored field by field, or whole where a statement takes whole structs.
struct P { x, y, z: f32 }
struct Cell { f: f32[3], k: i8 }
fn swapped(p: P) -> P = P(p.y, p.x, p.z);
kernel spread(p: P[n, m], inout q: f32[n, m], out r: P[n, m], out s: f64) {
	let t: P[n, m];
	map t[i, j] = P(p[i, j].x + q[i, j], p[i, j].y, f32(i));
	stencil q[i, j] = t[i-1, j].x + t[i, j+1].y boundary P(1, 2, 3);
	map r[i, j] = swapped(t[i, j]) where q[i, j] > 0;
	reduce s = sum[i, j](f64(t[i, j].z));
}
kernel cells(c: Cell[n], steps: i32, inout d: Cell[n]) {
	let t: Cell[n];
	repeat k < steps {
		map t[i].f[0] = c[i].f[2], t[i].f[1] = d[i].f[0], t[i].k = c[i].k;
		map t[i].f[2] = t[i].f[0] + 1 for i in 1..n;
		stencil d[i].f[1] = t[i-1].f[2] + t[i+1].f[1], d[i].k = t[i].k boundary clamp;
	}
}
kernel taken(at: i32[k], out r: f32[k]) {
	let v: P[k];
	map v[i] = P(f32(i), 1, 2);
	gather r[i] = v[at[i]].x + v[at[i]].z drop;
}
