// patc --target=cuda --no-pass=gather --no-pass=separate --no-pass=fuse --no-pass=layout --no-pass=regularise --no-pass=sweep --no-pass=stage --no-pass=tile --no-pass=privatise --no-pass=vectorise --no-pass=coarsen --no-pass=cse --no-pass=hoist --no-pass=divide --no-pass=time --no-pass=loop
// What --no-pass says, and that shared memory wants a tile.
kernel f(a: f32[n, m], out b: f32[n, m], out c: f32[n, m], out e: f32) {
	tiled: stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	plain: stencil c[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	reduce e = max[i, j](b[i, j]);
}
schedule f for cuda { tiled: stage shared; }
kernel rows(off: i32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
kernel w(p: f32[n, m], out a: f32[n, m]) {
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
kernel p(x: f32[n, l], w: f32[l, m], out y: f32[n, m], out z: f32[n, m]) {
	matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	matmul z[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule p for cuda { stage shared; }
kernel s(x: f32[n], inout y: f32[2*n]) {
	scatter y[2*i] += x[i];
}
kernel bins(x: u8[n], inout h: u32[256]) {
	histogram h[x[i]] += 1;
}
struct P { x, y, z: f32 }
kernel t(p: P[n, m], out q: f32[n, m]) {
	let t: P[n, m];
	map t[i, j] = p[i, j];
	stencil q[i, j] = t[i-1, j].x + t[i+1, j].y boundary P(0, 0, 0);
}
kernel steps(k: i32, inout x: f32[n]) {
	repeat t < k { map x[i] = x[i] / 2; }
}
kernel box(a: f32[n, m], out b: f32[n, m]) {
	stencil b[i, j] = sum[p in -10..11, q in -10..11](a[i + p, j + q]) boundary clamp;
}
