// patc --target=cpu
// A CPU decides little, and is measured against nothing.
kernel f(x: f32[n], a: f32[n, m], out y: f32[n], out b: f32[n, m], out e: f32) {
	map y[i] = sqrt(x[i]);
	stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	reduce e = max[i, j](b[i, j]);
	reduce y[i] = sum[j](a[i, j]);
	scan b[i, j] = sum[j](a[i, j]);
}
kernel products(x: f32[n, l], w: f32[l, m], q: bool[n, n], t: i32, out y: f32[n, m], out z: f32[n, m], out p: bool[n, n]) {
	packed: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	cached: matmul z[i, j] = sum[k](x[i, k] * w[k, j]);
	again: matmul z[i, j] = sum[k](x[i, k] * w[k, j]);
	part: matmul z[i, j] = sum[k in 0..max(0, min(i64(t), l))](x[i, k] * w[k, j]);
	place: matmul p[i, j] = any[k](q[i, k] && q[k, j]);
}
schedule products for cpu { cached: stage l1; again: stage shared; }
kernel held(x: f32[n, l], w: f32[l, m], out y: f32[n, m]) {
	matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule held for cpu { stage registers, tile 32 x 32; }
kernel margins(x: f32[n, l], w: f32[l, m], out d: f32[n]) {
	let p: f32[n, m];
	matmul p[i, j] = sum[k](x[i, k] * w[k, j]);
	reduce d[i] = max[j](p[i, j]);
}
kernel columns(x: f32[n, m], out p: f32[n, m]) {
	scan p[i, j] = sum[i](x[i, j]);
}
kernel ragged(off: i32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
kernel meets(x: i32[n], k: u8[n], q: i64, inout h: i32[m], inout g: u32[256], inout w: i32[9], inout e: i32[m]) {
	histogram h[x[i]] += 1;
	histogram g[k[i]] += 1;
	one: histogram w[k[i]] += 1;
	pinned: histogram h[x[i]] += 1;
	order: histogram e[x[i]] += x[i] strict;
	some: scatter e[x[i]] += x[i] where i < q;
	range: scatter e[x[i]] += x[i] for i in 0..min(q, n);
}
schedule meets for cpu { one: privatise 1; pinned: privatise; }
kernel first(x: i32[n], inout h: i32[m], out y: i32[n]) {
	histogram h[x[i]] += 1;
	map y[i] = x[i];
}
schedule first for cpu { privatise first 100; }
kernel sweeps(p: f32[n, m], out a: f32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
kernel scores(p: i32[k, n, m], out best: i32[k]) {
	let H: i32[k, n, m];
	wavefront H[b, i, j] = max(p[b, i, j], max(H[b, i-1, j] - 2, H[b, i-1, j-1] + 3)) boundary 0;
	reduce best[b] = max[i, j](H[b, i, j]);
}
kernel expanded(off: i32[m+1], x: f32[n], inout y: f32[m]) {
	scatter y[e % 4] += x[e] drop for f in 0..m, e in off[f]..off[f+1];
}
