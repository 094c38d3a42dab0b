// patc --target=cuda
// Transposes: by tiles, maps in front of them and behind them; and which have none.
struct Long { v: f64[9] }
struct Atom { x, y, z: f32 }
kernel chain(x: f32[n, m], y: f32[n, m], out z: f32[m, n], out w: f32[n, m], out s: f64) {
	let t: f32[n, m];
	let u: f32[m, n];
	before: map t[i, j] = x[i, j] + y[i, j];
	turned: transpose u[j, i] = t[i, j];
	behind: map z[j, i] = u[j, i] * 2;
	back: transpose w[i, j] = z[j, i];
	total: reduce s = sum[i, j](f64(w[i, j]));
}
kernel kinds(a: f32[n, m, 4], b: Long[n, m], c: f32[n, n], out d: f32[m, n, 4], out e: Long[m, n], out f: f32[n, n], out g: f32[m, n], out h: f32[m, n], out p: f32[m, n], q: Atom[n, m], out r: Atom[m, n]) {
	planes: transpose d[j, i, k] = a[i, j, k];
	long: transpose e[j, i] = b[i, j];
	atoms: transpose r[j, i] = q[i, j];
	masked: transpose f[j, i] = c[i, j] where i < j;
	several: transpose g[j, i] = a[i, j, 0], h[j, i] = a[i, j, 1];
	triangle: transpose f[j, i] = c[i, j] for j in 0..n, i in 0..j;
	slices: transpose p[j, i] = a[i, j, 2];
}
kernel guarded(a: f32[p, q], out b: f32[m, n]) {
	partly: transpose b[j, i] = i < p && j < q ? a[i, j] : 0;
}
kernel pinned(x: u8[n, m], out y: u8[m, n], out z: u8[m, n], out w: u8[m, n], out v: u8[m, n]) {
	large: transpose y[j, i] = x[i, j];
	cached: transpose z[j, i] = x[i, j];
	singles: transpose w[j, i] = x[i, j];
	narrow: transpose v[j, i] = x[i, j];
}
schedule pinned for cuda {
	large: tile 128 x 256;
	cached: stage l1;
	singles: vector 1;
	narrow: vector 4;
}
kernel all(x: f32[n, m], out y: f32[m, n]) {
	transpose y[j, i] = x[i, j];
}
schedule all for cuda { stage registers; }
kernel runs(x: f32[n, m], out y: f32[m, n]) {
	transpose y[j, i] = x[i, j];
}
schedule runs for cuda { stage runs; }
