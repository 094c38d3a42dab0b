// Accesses that only a call can judge, beside boundaries: rows that a parameter names, ranges that it gives, edges
// of arrays that may have no cells.
struct P { a: f32, b: i16 }
kernel row(x: f32[n, m], p: i64, out y: f32[m]) { stencil y[j] = x[p, j-1] + x[p, j+1] boundary clamp; }
kernel row_value(x: f32[n, m], p: i64, q: i64, out y: f32[m]) { stencil y[j] = x[p, j-1] + 2 * x[q, j+1] boundary (f32(j)); }
kernel column(x: P[n, m], p: i64, out y: P[n]) { stencil y[i] = x[i-1, p] boundary wrap; }
kernel column_wrap(x: f32[n, m], a: i64, b: i64, inout y: f32[n]) { stencil y[i] = x[i-1, 0] + 1 boundary wrap for i in a..b where m > 0; }
kernel range_mirror(x: f32[n], a: i64, b: i64, inout y: f32[n]) { stencil y[i] = x[i-1] + x[i+1] boundary mirror for i in a..b; }
kernel range_keep(x: f32[n], a: i64, b: i64, inout y: f32[n]) { stencil y[i] = x[i-1] + x[i+1] boundary keep for i in a..b; }
kernel range_planes(x: f32[n, m], a: i64, b: i64, inout y: f32[n, m]) { stencil y[i, j] = x[i-1, j] - x[i, j+1] boundary (reflect, keep) for i in a..b, j in 0..m; }
kernel pad(x: f32[n], out y: f32[n+2], out s: f32) { stencil y[i] = x[i-1] + x[i] boundary wrap; reduce s = sum[i](y[i]); }
kernel pad_guarded(x: f32[n], inout y: f32[n+2]) { stencil y[i] = x[i-1] boundary clamp where n > 0; }
kernel pad_planes(x: f32[n, m], out y: f32[n+1, m+3], out c: f32[m+3]) {
	stencil y[i, j] = x[i, j] - x[i-1, j-3] boundary (mirror, clamp);
	reduce c[j] = max[i](y[i, j]);
}
kernel tile(x: f32[n], inout y: f32[m]) { stencil y[i] = x[i] boundary wrap; }
kernel crop(x: f32[n+2], out y: f32[n]) { stencil y[i] = x[i] - x[i+3] boundary reflect; }
kernel padded_let(x: f64[n], out y: f64[n], out e: f64) {
	let t: f64[n+4];
	stencil t[i] = x[i-2] boundary reflect;
	stencil y[i] = t[i] - 4 * t[i+1] + 6 * t[i+2] - 4 * t[i+3] + t[i+4];
	reduce e = sum[i](y[i] * y[i]);
}
kernel counted(x: i32[n], inout y: i32[n], out c: i64) {
	reduce c = count[i](x[i] > 0);
	stencil y[i] = x[i-1] + x[i+2] boundary wrap for i in 0..c;
}
kernel values(top: f32[m], bottom: f32[m], side: f32[n], x: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]
		boundary (i < 0 && j >= 0 && j < m ? top[j] : i >= n && j >= 0 && j < m ? bottom[j] : i >= 0 && i < n ? side[i] : 0);
}
kernel fields(x: P[n, m], inout y: P[n, m]) {
	stencil y[i, j].a = x[i-1, j].a + x[i, j+1].a, y[i, j].b = x[i+1, j].b - x[i, j].b boundary (keep, wrap);
}
