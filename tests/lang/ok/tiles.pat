// Arrays in tiles, in every kind of statement.
struct V { x, y, z: f32 }
struct Cell { f: f32[3], k: i8 }
kernel copies(x: f32[n, m], y: f32[n, m] layout tiled(8, 8), out t: f32[n, m] layout tiled(4, 16), out r: f32[n, m]) {
	map t[i, j] = x[i, j];
	map r[i, j] = 2 * y[i, j];
}
kernel odd(x: u8[l, n, m] layout tiled(3, 5), out t: u8[l, n, m] layout tiled(5, 3), inout r: V[n, m] layout tiled(2, 4), out c: Cell[n, m] layout aos tiled(4, 2)) {
	map t[i, j, k] = x[i, j, k] + 1;
	map r[i, j].x = r[i, j].y + 1, r[i, j].z = 2;
	map r[i, j] = V(r[i, j].z, r[i, j].x, 1) where r[i, j].y > 0;
	map c[i, j].f[k] = r[i, j].y + f32(k);
}
kernel padded(x: f32[5, 3] layout tiled(8, 8), y: f64[n+1, m] layout tiled(1, 8), out z: f32[n, m] layout tiled(4, 1), s: i32, out w: f32[n, m] layout tiled(16, 2)) {
	map z[i, j] = f32(y[i, j]) + x[4, 2];
	map w[i, j] = z[i, j] for i in 0..n, j in 0..s;
}
kernel turned(x: f32[n, m] layout tiled(8, 8), c: f32[n, m] layout col, out y: f32[m, n], out z: f32[m, n] layout tiled(8, 4), out w: f32[n, m] layout tiled(8, 4)) {
	transpose y[j, i] = x[i, j];
	transpose z[j, i] = x[i, j];
	map w[i, j] = c[i, j];
}
kernel around(x: f32[n, m] layout tiled(8, 8), y: f32[n, m], v: V[n, m] layout tiled(4, 4), out z: f32[n, m], inout w: f32[n, m] layout tiled(8, 4), out u: f32[n, m]) {
	stencil z[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] - x[i, j+1] boundary clamp;
	stencil w[i, j] += y[i-1, j-1] - x[i+2, j+1] boundary (wrap, 3);
	a: stencil u[i, j] = x[i, j-1] + v[i, j+1].y + x[i+1, j] boundary (mirror, 2);
}
schedule around for cuda { a: stage shared; }
kernel settles(inout a: f64[n, m] layout tiled(4, 8), inout p: V[n, m] layout tiled(2, 2), inout q: V[n, m] layout tiled(2, 2), out change: f64) {
	let b: f64[n, m];
	repeat until change < 1 at most 3 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary mirror;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
	swap p, q;
}
kernel folds(x: f32[n, m] layout tiled(8, 8), y: i32[l, n, m] layout tiled(3, 4), out r: f32[n], out c: f32[m], out s: f32, out p: i64, out o: i64, out q: i32[l], out t: i32[n, m] layout tiled(2, 2)) {
	reduce r[i] = sum[j](x[i, j]);
	reduce c[j] = max[i](x[i, j]);
	reduce s, p, o = argmax[i, j](x[i, j]);
	reduce q[i] = sum[j, k](y[i, j, k]);
	reduce t[j, k] = max[i](y[i, j, k]);
}
kernel softmax(x: f32[n, m] layout tiled(8, 8), out y: f32[n, m] layout tiled(4, 8)) {
	let most: f32[n];
	let sum: f32[n];
	reduce most[i] = max[j](x[i, j]);
	reduce sum[i] = sum[j](exp(x[i, j] - most[i]));
	map y[i, j] = exp(x[i, j] - most[i]) / sum[i];
}
kernel moves(k: i32[n, m] layout tiled(4, 4), x: f32[n, m] layout tiled(8, 8), v: u32[m], inout h: u32[n, m] layout tiled(2, 8), inout f: f32[n, m] layout tiled(4, 8), inout b: u8[n, m] layout tiled(4, 4), out y: f32[n, m], inout c: u32[4, 16] layout tiled(3, 4)) {
	gather y[i, j] = x[i, k[i, j]];
	scatter h[i, k[i, j]] += v[j];
	scatter f[k[i, j], j] max= x[i, j];
	histogram b[k[i, j], j] += 1;
	histogram c[k[i, j] & 3, k[i, j] >> 2 & 15] += 1;
}
kernel runs(x: f32[n, m] layout tiled(8, 8), out s: f32[n, m] layout tiled(4, 4), out t: f32[n, m] layout tiled(2, 2), out u: f32[n, m], out w: i32[n, m] layout tiled(8, 8), z: i32[n, m]) {
	scan s[i, j] = sum[j](x[i, j]);
	scan t[i, j] = max[i](x[i, j]);
	scan u[i, j] = sum[i](x[i, j]);
	scan w[i, j] = 3 * w[i, j-1] + z[i, j] from 1;
}
kernel kept(a: i32[n, m] layout tiled(8, 4), out y: i32[n, m] layout tiled(4, 4), out z: i32[q], out k: i64) {
	compact z, k = a[i, j] where a[i, j] > 0;
	map y[i, j] = a[i, j] where a[i, j] % 3 == 0;
}
kernel products(a: f32[n, l] layout tiled(8, 8), b: f32[l, m] layout tiled(4, 8), c: f32[l, m], out x: f32[n, m] layout tiled(8, 8), out y: f32[n, m]) {
	matmul x[i, j] = sum[k](a[i, k] * b[k, j]);
	matmul y[i, j] = sum[k](a[i, k] * c[k, j]);
}
kernel ordered(inout s: f32[n, 8] layout tiled(4, 8), inout w: u32[n, 8] layout tiled(2, 3)) {
	segsort s with w by > stable;
}
kernel aligned(c: i32[m, n] layout tiled(8, 8), out h: i32[m, n]) {
	wavefront h[i, j] = max(max(h[i, j-1], h[i-1, j]) - 1, h[i-1, j-1] + c[i, j]) boundary 0;
}
