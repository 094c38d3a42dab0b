// Long windows along one axis are folded from runs of terms: every boundary, axis and length.
struct Place { x: f16, y: u8 }
struct Four { a, b, c, d: f64 }
op added(p: Four, q: Four) -> Four = Four(p.a + q.a, p.b + q.b, p.c + q.c, p.d + q.d) identity Four(0, 0, 0, 0), associative, commutative;
struct Map { a, b: i64 }
op then(p: Map, q: Map) -> Map = Map(q.a * p.a, q.a * p.b + q.b) identity Map(1, 0), associative;

kernel boxes(x: f32[n, m], out y: f32[n, m], out z: f64[n, m], out top: f32[n, m]) {
	stencil y[i, j] = sum[q in -30..31](x[i, j + q]) / 61 boundary clamp;
	stencil z[i, j] = 2 * sum[p in -33..7](f64(x[i + p, j]) * x[i + p, j]) + x[i, j] boundary mirror;
	stencil top[i, j] = max[q in 0..65](x[i, j + q]) - min[q in 0..65](x[i, j + q]) boundary (wrap, reflect);
}
kernel lengths(x: i32[n, m], lo: i32, hi: i32, out y: i64[n, m], out z: i32[n, m]) {
	require lo >= -3000, hi <= 3000;
	stencil y[i, j] = sum[p in lo..hi](i64(x[i + p, j])) boundary (7);
	stencil z[i, j] = max[q in lo..hi](x[i, j + q] + i32(i)) boundary wrap;
}
kernel space(v: u8[l, n, m], out w: u8[l, n, m], out s: u32[l, n, m]) {
	stencil w[k, i, j] = max[p in -16..17](v[k, i + p, j]) boundary clamp;
	stencil s[k, i, j] = sum[p in 1..34](u32(v[k + p, i, j])) boundary (u8(i + j));
}
kernel line(x: f64[n], out y: f64[n], out total: f64) {
	stencil y[i] = sum[p in -40..41](x[i + p]) boundary reflect;
	reduce total = max[i](y[i]);
}
kernel inner(x: f32[n], w: f32[n], out y: f32[n]) {
	stencil y[i] = sum[p in 0..40](x[i + p] * w[i + p]) for i in 0..n-39;
}
kernel ordered(m: Map[n], x: i32[n, r], out y: Map[n], out w: Map[n], out z: i32[n, r]) {
	stencil y[i] = then[p in -16..17](m[i + p]) boundary clamp;
	stencil w[i] = then[p in -16..17](m[i - p]) boundary mirror;
	stencil z[i, j] = min[p in -50..2](x[i + p, j]) boundary clamp;
}
kernel near(x: f32[n, m], g: f32[m], out y: f32[n, m], out all_: bool[n, m]) {
	stencil y[i, j] = g[j] * sum[p in -16..16](max(x[i + p, j], x[i + p, j - 1])) boundary clamp;
	stencil all_[i, j] = all[p in 0..33](x[i, j + p] > -0.5) && x[i, j] < 1 boundary constant 0;
}
kernel smooth(inout a: f32[n, m], steps: i64) {
	require steps >= 0, steps < 4;
	let b: f32[n, m];
	repeat t < steps {
		stencil b[i, j] = sum[p in -40..41](a[i, j + p]) / 81 boundary wrap;
		stencil a[i, j] = sum[p in -20..21](b[i + p, j]) / 41 boundary wrap;
	}
}
kernel given(x: f32[n, m], r: i16, out y: f32[n, m], out z: f32[n, m]) {
	require r >= 4, r < 40;
	stencil y[i, j] = sum[p in -r..r+1, q in -r..r+1](x[i + p, j + q]) / f32((2*r + 1) * (2*r + 1)) boundary reflect;
	stencil z[i, j] = max[q in r..3*r](x[i, j - q]) boundary clamp;
}
kernel fields(p: Place[n, m], out y: f32[n, m], out z: u8[n, m]) {
	stencil y[i, j] = f32(sum[q in -30..31](p[i, j + q].x / 64)) boundary wrap;
	stencil z[i, j] = min[q in -20..31](p[i + q, j].y) boundary mirror;
}
kernel fused(x: f32[n, m], w: f32[m], out y: f32[n, m], out worst: f32) {
	let t: f32[n, m];
	map t[i, j] = x[i, j] * w[j] + 1;
	stencil y[i, j] = max[q in -20..31](t[i + q, j]) - t[i, j] boundary clamp;
	reduce worst = max[i, j](y[i, j]);
}
kernel long(x: i32[n], z: u8[n, m], out y: i32[n], out top: u8[n, m], out side: u8[n, m]) {
	stencil y[i] = sum[p in 0..2000](x[i + p]) boundary clamp;
	stencil top[i, j] = max[q in -700..1](z[i, j + q]) boundary mirror;
	stencil side[i, j] = min[p in 0..600](z[i - p, j]) boundary wrap;
}
kernel spread(x: f64[n, m], out y: f64[n, m], out z: f32[n, m], w: f32[n, m]) {
	stencil y[i, j] = sum[p in -15..16](x[i + p, j] * x[i + p, j]) * 31
		- sum[p in -15..16](x[i + p, j]) * sum[q in -15..16](x[i + q, j]) boundary clamp;
	stencil z[i, j] = sum[q in 0..5](w[i, j + q]) + max[q in 0..60](w[i, j + q]) - min[p in -40..3](w[i + p, j]) boundary reflect;
}
kernel squares(x: f32[n, m], out y: f32[n, m], out places: f32[n, m]) {
	let t: f32[n, m];
	stencil y[i, j] = sum[p in -30..31, q in -30..31](x[i + p, j + q]) / 3721 boundary clamp;
	map t[i, j] = x[i, j] * f32(j);
	stencil places[i, j] = max[q in 0..71](t[i, j + q]) for j in 0..m-70;
}
kernel folded(x: i32[n, m], hi: i32, out y: i32[n, m], out t: i32, out s: i64[n]) {
	require hi < 40;
	stencil y[i, j] = max[p in 0..hi](x[i, j + p]) boundary clamp;
	reduce t = max[i, j](y[i, j]);
	reduce s[i] = sum[j](i64(y[i, j]));
}
kernel short(x: u8[n, m, l], hi: i32, out y: u8[n, m, l]) {
	require hi >= 0, hi < 20;
	stencil y[i, j, k] = max[p in 0..hi](x[i, j, k - p]) + max[p in 0..hi](x[i, j, k] - x[i, j, k + p])
		+ max[p in 0..hi](x[i, j, k + 3 - p]) boundary (wrap, (u8(i * 100 + j * 10 + k)), clamp);
}
kernel empty(x: i32[n], lo: i64, hi: i64, out y: i32[n]) {
	require lo > 9223372036854775700, hi < -9223372036854775700;
	stencil y[i] = sum[p in lo..hi](x[i + p]) boundary clamp;
}
kernel large(x: Four[n, m], out y: Four[n, m], out z: Four[n, m]) {
	stencil y[i, j] = added[p in 0..30](x[i + p, j]), z[i, j] = added[p in 0..30](x[i - p, j + 1]) boundary clamp;
}
kernel widened(x: i32[n], u: u64[n], y: f32[n, m], out a: f32[n], out b: f32[n], out c: f32[n, m], out d: f32[n, m]) {
	stencil a[i] = max[p in -40..70](f32(x[i + p])) boundary 2147483647;
	stencil b[i] = min[p in 0..99](f32(u[i + p])) boundary (u64(0) - 1);
	stencil c[i, j] = y[i, j] + sum[p in 0..90](f32(i + p) * 0.25) boundary clamp;
	stencil d[i, j] = y[i, j] > 0.9 ? sum[p in 0..70](y[i + p, j]) : max[q in 0..70](y[i, j + q] * 0.0) boundary clamp;
}
kernel pinned(x: f32[n, m], r: i64, out y: f32[n, m], out z: f32[n, m], out w: f32[n, m]) {
	require r >= -1, r < 6;
	stencil y[i, j] = sum[q in -1..2](x[i, j + q]) boundary wrap;
	stencil z[i, j] = max[p in 0..r](x[i - p, j]) boundary (0);
	stencil w[i, j] = x[i, j] > 0 ? min[q in 0..30](x[i, j + q]) : 2 boundary clamp;
}
schedule pinned for cuda { stage runs; }
schedule pinned for hip { stage runs; }
schedule pinned for cpu { stage runs; }
