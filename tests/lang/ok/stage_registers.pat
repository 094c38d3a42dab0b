// near cells in registers: every edge, rank, type and form that can be held, and some that only partly are
const K: f32[3] = [1, 2, 1];
fn weigh(a: f32, b: f32, c: f32) -> f32 = 0.25 * a + 0.5 * b + 0.25 * c;

kernel space_edges(a: f32[h, n, m], out b: f32[h, n, m], out c: f32[h, n, m], out d: f32[h, n, m], out e: f32[h, n, m]) {
	s1: stencil b[i, j, k] = a[i, j, k] + 0.1 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
	s2: stencil c[i, j, k] = a[i-1, j-1, k-2] - a[i+1, j+1, k+5] + a[i, j, k-1] boundary (wrap, mirror, reflect);
	s3: stencil d[i, j, k] = a[i-1, j+1, k] * 2 + a[i+2, j, k-1] boundary (3, f32(i + j), f32(k) * 0.5);
	s4: stencil e[i, j, k] = a[i-1, j, k] + a[i+1, j, k+1] + a[i, j-2, k-1] boundary keep;
}
kernel space_types(a: f64[h, n, m], x: u8[h, n, m], y: i16[h, n, m], z: f16[h, n, m], t: bool[h, n, m],
                   out b: f64[h, n, m], out p: u8[h, n, m], out q: i16[h, n, m], out r: f16[h, n, m], out u: bool[h, n, m]) {
	s1: stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j, k] + a[i, j, k-1] - a[i, j+1, k+1] boundary mirror;
	s2: stencil p[i, j, k] = x[i-1, j, k] + x[i+1, j, k-1] boundary clamp;
	s3: stencil q[i, j, k] = y[i-1, j, k+1] - y[i+1, j-1, k] boundary wrap;
	s4: stencil r[i, j, k] = z[i-1, j, k] + z[i, j, k+1] boundary (1, clamp, 2);
	s5: stencil u[i, j, k] = t[i-1, j, k] || t[i, j, k-1] && t[i+1, j, k] boundary keep;
}
kernel forms(a: f32[h, n, m], w: f32[h, n, m], v: f32[m], g: f32[n], inout b: f32[h, n, m], inout c: f32[h, n, m], out most: f32, out total: f64) {
	s1: stencil b[i, j, k] = weigh(a[i-1, j, k], w[i, j, k] * v[k] + g[j], a[i+1, j, k]) boundary clamp where a[i, j, k] > 0;
	s2: stencil c[i, j, k] = 0.5 * (a[i-1, j, k] + a[i+1, j, k-1]) + w[i, j, k] for i in 1..h-1, k in 2..m-1;
	s3: stencil b[i, j, k] = a[i, j-1, k] - a[i+1, j, k+1], c[i, j, k] = a[i-1, j, k] + w[i+1, j, k] + b[i, j, k] boundary reflect;
	s4: stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j, k+1] boundary keep;
	reduce most = max[i, j, k](abs(b[i, j, k] - a[i, j, k])), total = sum[i, j, k](f64(b[i, j, k]));
}
kernel partly(a: f32[h, n, m], inout b: f32[h, n, m], out s: i64) {
	s1: stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j, k-1] boundary keep where a[i, j, k] < 0.5;
	reduce s = count[i, j, k](b[i, j, k] > a[i, j, k]);
	s2: stencil b[i, j, k] = a[i-1, j, k] * 2 + (k > 0 && i > 0 ? a[i-1, j, k-1] : 0) for i in 1..h, j in 0..n-1;
}
kernel planes(a: f32[n, m], x: i32[n, m], out b: f32[n, m], out c: i32[n, m], out d: f32[n, m]) {
	s1: stencil b[i, j] = K[0] * a[i-2, j-1] + K[1] * a[i, j+2] + K[2] * a[i+2, j] boundary (1, clamp);
	s2: stencil c[i, j] = x[i-1, j-1] ^ x[i+1, j+1] + x[i, j] boundary wrap;
	s3: stencil d[i, j] = a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1] boundary keep;
}
kernel groups(a: f32[h, n, m], p: f64[n, m], out b: f32[h, n, m], out q: f64[n, m]) {
	s1: stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j-1, k+1] - a[i, j, k-6] boundary clamp;
	s2: stencil q[i, j] = p[i-1, j] + p[i+1, j-1] - p[i, j+3] boundary mirror;
}
kernel line_and_more(a: f32[n], z: f32[p, h, n, m], out b: f32[n], out y: f32[p, h, n, m]) {
	s1: stencil b[i] = a[i-1] + a[i] + a[i+6] boundary reflect;
	s2: stencil y[o, i, j, k] = z[o, i-1, j, k] + z[o-1, i, j, k+1] - z[o, i+1, j+1, k] boundary (wrap, clamp, mirror, 2);
}
kernel two_fields(inout u: f32[h, n, m], inout v: f32[h, n, m], steps: i32, out change: f32) {
	let un: f32[h, n, m];
	let vn: f32[h, n, m];
	repeat t < steps {
		stencil un[i, j, k] = u[i, j, k] + 0.1 * (v[i+1, j, k] - v[i-1, j, k]),
		        vn[i, j, k] = v[i, j, k] + 0.1 * (u[i, j+1, k] - u[i, j-1, k]) boundary wrap;
		swap u, un;
		swap v, vn;
	}
	reduce change = max[i, j, k](abs(u[i, j, k] - v[i, j, k]));
}
// a line that ends within a vector of the rows
kernel short_line(a: f32[h, n, m], v: f32[q], u: f32[m], inout b: f32[h, n, m]) {
	s1: stencil b[i, j, k] = a[i-1, j, k] + a[i+1, j, k-1] * u[k] boundary clamp;
	s2: stencil b[i, j, k] = a[i-1, j, k] + v[k] boundary clamp for i in 0..h, j in 0..n, k in 0..min(q, m);
}
schedule space_types for cuda { stage registers; }
schedule space_types for hip { stage registers; }
schedule forms for cuda { stage registers, coarsen 3; }
schedule forms for hip { stage registers, coarsen 3; }
schedule partly for cuda { stage registers; }
schedule partly for hip { stage registers; }
schedule planes for cuda { stage registers, coarsen 2; }
schedule planes for hip { stage registers, coarsen 5; }
schedule groups for cuda { stage registers, tile 32 x 32; s2: tile 128 x 4, coarsen 2; }
schedule groups for hip { stage registers, tile 32 x 32; s2: tile 8 x 64, coarsen 3; }
schedule line_and_more for cuda { stage registers; }
schedule line_and_more for hip { stage registers; }
