// layouts_pinned.pat - temporaries stored as pinned: by columns, field by field, in blocks; swapped, and in every pattern.
struct P { x, y, z: f32 }
struct W { a: f64, v: f32[2], k: i16 }
kernel steps(t: i32, p: P[n, m], out q: P[n, m]) {
	let a: P[n, m];
	let b: P[n, m];
	fill: map a[i, j] = p[i, j];
	repeat s < t % 4 {
		step: stencil b[i, j].x = a[i, j].x + a[i, j-1].y, b[i, j].y = a[i+1, j].z, b[i, j].z = a[i-1, j].x boundary clamp;
		swap a, b;
	}
	map q[i, j] = a[i, j];
}
kernel free(t: i32, p: P[n, m], out q: P[n, m]) {
	let a: P[n, m];
	let b: P[n, m];
	map a[i, j] = p[i, j];
	repeat s < t % 3 { stencil b[i, j] = P(a[i-1, j].y, a[i+1, j].x, a[i, j].z) boundary clamp; swap a, b; }
	map q[i, j] = a[i, j];
}
kernel blocks(w: W[n], idx: i32[m], out x: f32[n], out y: W[m], inout h: f32[m]) {
	let a: W[n];
	fill: map a[i] = W(w[i].a + 1, [w[i].v[1], w[i].v[0]], w[i].k);
	map x[i] = a[i].v[0] + f32(a[i].a);
	gather y[i] = a[idx[i]] drop;
	scatter h[idx[i]] += a[idx[i]].v[1] drop;
}
kernel columns(x: f32[n, m], out y: f32[n, m], out r: f32[n], out c: f32[m], out s: f32[n, m], out z: f32[m, n], out best: f32) {
	let a: f32[n, m];
	let b: f32[n, m];
	fill: map a[i, j] = x[i, j] * 2;
	edge: stencil b[i, j] = a[i-1, j] + a[i, j+1] boundary wrap;
	reduce r[i] = sum[j](a[i, j]);
	reduce c[j] = sum[i](b[i, j]);
	scan s[i, j] = sum[j](a[i, j]);
	transpose z[j, i] = b[i, j];
	map y[i, j] = a[i, j] + b[i, j];
	reduce best = max[i, j](b[i, j]);
}
kernel others(x: i32[n, m], k: i32[n], idx: i32[n, m], out y: i32[n, m], out C: i32[n, n], inout h: i32[m, n], out q: i32[n, m], out g: i32[n, m]) {
	let a: i32[n, m];
	let w: i32[n, m];
	let s: i32[n, m];
	let t: i32[m, n];
	fill: map a[i, j] = x[i, j] % 100 + k[i];
	wave: wavefront w[i, j] = max(w[i-1, j], w[i, j-1]) + a[i, j] boundary 0;
	run: scan s[i, j] = sum[i](a[i, j]);
	hits: histogram t[idx[i, j], i] += 1 drop;
	map y[i, j] = w[i, j] + s[i, j];
	matmul C[i, j] = sum[l](a[i, l] * s[j, l]);
	map h[j, i] += t[j, i];
	gather q[i, j] = a[n - 1 - i, m - 1 - j];
	gather g[i, j] = t[j, i];
}
schedule steps for cuda { fill: layout soa; }
schedule steps for hip { step: layout col aosoa(4); }
schedule steps for cpu { layout col soa; }
schedule blocks for cuda { fill: layout aosoa(8); }
schedule blocks for hip { layout soa; }
schedule blocks for cpu { fill: layout aosoa(5); }
schedule columns for cuda { layout col; }
schedule columns for hip { fill: layout col; edge: layout tiled(3, 8); }
schedule columns for cpu { edge: layout col; fill: layout tiled(8, 5); }
schedule free for cpu { layout tiled(4, 4); }
schedule others for cuda { layout col; }
schedule others for hip { layout tiled(8, 16); }
schedule others for cpu { layout col; }
schedule free for cuda { layout aos; }
