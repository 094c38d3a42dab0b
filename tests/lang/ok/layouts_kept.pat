// layouts_kept.pat - arrays of the caller's that are kept as pinned: converted in where old cells can be seen, and out.
struct P { x, y, z: f32 }
struct W { a: f64, v: u8[3], k: i16 }
kernel steps(t: i32, inout p: P[n, m], inout u: W[n]) {
	let q: P[n, m];
	repeat s < t % 4 {
		step: stencil q[i, j].x = p[i, j].x + p[i, j-1].y, q[i, j].y = p[i+1, j].z, q[i, j].z = p[i-1, j].x boundary clamp;
		swap p, q;
		own: map u[i].a = u[i].a + f64(u[i].v[1]), u[i].v[1] = u[i].v[0] where u[i].k % 2 == 0;
	}
}
kernel swapped(t: i32, inout a: f32[n, m], inout b: f32[n, m], inout c: P[n], out d: P[n]) {
	repeat s < t % 3 {
		one: map b[i, j] = a[i, j] + 1 for i in 0..n, j in 1..m;
		swap a, b;
	}
	two: gather d[i] = P(c[n - 1 - i].y, c[i].z, 1);
	map c[i].x = d[i].z where i % 2 == 1;
	swap c, d;
}
kernel declared(inout p: P[n, m] layout col soa, out x: f32[n, m] layout row(ld), inout y: u8[n, m] layout tiled(4, 2), in_: i32[n, m], inout w: W[n] layout aosoa(4), out same: f32[n, m] layout col) {
	back: map p[i, j] = P(p[i, j].z, p[i, j].x, 2);
	wide: map x[i, j] = f32(in_[i, j]) where in_[i, j] > 0;
	tile: map y[i, j] = y[i, j] + 1;
	part: map w[i].k = 7;
	equal: map same[i, j] = f32(y[i, j]);
}
kernel others(idx: i32[n, m], inout h: i32[m, n], out s: i32[n, m], out z: i32[m, n], out C: i32[n, n], inout w: i32[n, m], out g: W[m], v: W[n]) {
	hits: histogram h[idx[i, j], i] += 1 drop;
	run: scan s[i, j] = sum[i](idx[i, j]);
	turn: transpose z[j, i] = s[i, j];
	product: matmul C[i, j] = sum[k](s[i, k] * idx[j, k]);
	wave: wavefront w[i, j] = max(w[i-1, j], w[i, j-1]) + idx[i, j] % 10 boundary 0;
	from: gather g[i] = v[idx[0, i]] drop where n > 0;
}
kernel settle(inout a: P[n], out change: f32) {
	let b: P[n];
	repeat until change < 1 at most 3 {
		mean: stencil b[i].x = 0.5 * (a[i-1].x + a[i+1].x), b[i].y = a[i].y, b[i].z = 0 boundary clamp;
		reduce change = max[i](abs(b[i].x - a[i].x));
		swap a, b;
	}
}
struct Q { x, y: f32, mass: f64, v: f32[3], charge: u8, cell: i64 }
kernel moved(inout p: Q[n], inout r: Q[n, m], out far: f32) {
	repeat t < 20 {
		map p[i].x += p[i].v[0], p[i].v[0] = 0.5 * p[i].y;
		let far_now: f32;
		reduce far_now = max[i](abs(p[i].x));
		map far = far_now;
	}
	repeat t < 3 {
		repeat u < 2 { map r[i, j].charge = r[i, j].charge + 1; }
	}
}
kernel fields(f: Q[n, m], inout p: Q[m] layout aos, inout x: f32[n, m], out q: Q[m]) {
	repeat t < 9 { stencil x[i, j] = f[i-1, j].y + f[i+1, j].x + 0.5 * x[i, j] boundary clamp; }
	map q[j] = Q(1, 2, 3, [p[j].x, p[j].y, 6], 7, 8);
	repeat t < 7 {
		map q[j].y = q[j].x + p[j].y;
		swap p, q;
	}
}
kernel turned_fields(inout p: P[n, m] layout col(ld), out z: f32[n, m]) {
	repeat t < 16 { map p[i, j].y += p[i, j].x; }
	map z[i, j] = p[i, j].y;
}
// a temporary in the caller's own blocks
kernel blocks(t: i32, inout p: P[n] layout aosoa(3)) {
	let q: P[n];
	repeat s < t % 3 {
		next: map q[i] = P(p[i].z, p[i].x, p[i].y + 1);
		swap p, q;
	}
}
schedule blocks for cuda { next: layout aosoa(3); }
schedule blocks for hip { next: layout aosoa(3); }
schedule blocks for cpu { next: layout aosoa(3); }
schedule steps for cuda { step: layout soa; own: layout soa; }
schedule steps for hip { step: layout col aosoa(4); own: layout aosoa(8); }
schedule steps for cpu { step: layout tiled(4, 4); own: layout soa; }
schedule swapped for cuda { one: layout col; two: layout soa; }
schedule swapped for hip { one: layout tiled(8, 4); two: layout aosoa(16); }
schedule swapped for cpu { one: layout col; two: layout soa; }
schedule declared for cuda { back: layout aos; wide: layout col; tile: layout row; part: layout soa; equal: layout col; }
schedule declared for hip { back: layout aosoa(4); wide: layout tiled(8, 8); tile: layout col; part: layout soa; equal: layout tiled(2, 8); }
schedule declared for cpu { back: layout row soa; wide: layout col; tile: layout tiled(8, 8); part: layout aosoa(8); equal: layout row; }
schedule others for cuda { hits: layout col; run: layout col; turn: layout tiled(8, 8); product: layout col; wave: layout col; from: layout soa; }
schedule others for hip { hits: layout col; run: layout col; turn: layout tiled(8, 8); product: layout tiled(8, 8); wave: layout row; from: layout aosoa(4); }
schedule others for cpu { hits: layout col; run: layout col; turn: layout col; product: layout col; wave: layout col; from: layout soa; }
schedule settle for cuda { mean: layout soa; }
schedule settle for hip { mean: layout aosoa(8); }
schedule settle for cpu { mean: layout soa; }
test passes {
	steps(t = 0, p = [[P(1, 2, 3)]], u = [W(1, [2, 3, 4], 4)]) -> p = [[P(1, 2, 3)]], u = [W(1, [2, 3, 4], 4)];
	steps(t = 1, p = [[P(1, 2, 3)]], u = [W(1, [2, 3, 4], 4)]) -> p = [[P(3, 3, 1)]], u = [W(4, [2, 2, 4], 4)];
	steps(t = 2, n = 3, m = 5, p = random, u = random);
	steps(t = 3, n = 17, m = 40, p = random, u = random);
	steps(t = 3, n = 0, m = 2);
	swapped(t = 1, a = [[1, 2]], b = [[7, 8]], c = [P(1, 2, 3)]) -> a = [[7, 3]], b = [[1, 2]], c = [P(2, 3, 1)], d = [P(1, 2, 3)];
	swapped(t = 2, n = 9, m = 33, a = random, b = random, c = random);
	blocks(t = 2, p = [P(1, 2, 3), P(4, 5, 6)]) -> p = [P(3, 3, 2), P(6, 6, 5)];
	blocks(t = 1, n = 70, p = random);
}
