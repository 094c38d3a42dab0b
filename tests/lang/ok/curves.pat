// curves.pat - arrays along Morton's and Hilbert's curves, in every pattern that takes layouts.
struct P { x, y, z: f32 }
kernel into(x: f32[n, n], out h: f32[n, n] layout hilbert, out m: f32[n, m1] layout morton) {
	map h[i, j] = x[i, j];
	map m[i, j] = f32(i) + f32(j) * 0.5;
}
kernel back(h: f32[n, n] layout hilbert, m: f32[n, n] layout morton, out x: f32[n, n], out y: f32[n, n], out z: f32[n, n]) {
	map x[i, j] = h[i, j];
	transpose y[j, i] = m[i, j];
	gather z[i, j] = h[n - 1 - i, j] - m[i, n - 1 - j];
}
kernel turned(x: u8[n, n], out h: u8[n, n] layout hilbert, out m: u8[n, n] layout morton, out hh: u8[n, n] layout morton) {
	transpose h[j, i] = x[i, j];
	transpose m[j, i] = x[i, j];
	transpose hh[j, i] = h[i, j];
}
kernel heat(inout a: f32[n, n] layout morton, steps: i32) {
	let b: f32[n, n];
	repeat t < steps % 4 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
		swap a, b;
	}
}
kernel edges(a: i32[n, n] layout hilbert, b: i32[n, n, n] layout morton, out c: i32[n, n] layout morton, out d: i32[n, n, n] layout hilbert) {
	stencil c[i, j] = a[i-1, j] + 2 * a[i+1, j-2] + a[i, j+1] boundary wrap;
	stencil d[i, j, k] = b[i-1, j, k] + b[i, j+1, k] - 3 * b[i, j, k-1] boundary mirror;
}
kernel near(a: i32[n, n] layout morton, v: i32, out c: i32[n, n] layout hilbert) {
	stencil c[i, j] = sum[p in -2..3, q in -2..3](a[i+p, j+q]) boundary v;
}
kernel folds(a: i64[n, n] layout morton, b: i64[n, n, n] layout hilbert, out r: i64[n], out c: i64[n], out all: i64, out best: i64, out s: i64[n, n] layout morton) {
	reduce r[i] = sum[j](a[i, j]);
	reduce c[j] = max[i](a[i, j]);
	reduce all = sum[i, j, k](b[i, j, k]);
	reduce best = min[i, j](a[i, j]);
	reduce s[i, k] = sum[j](b[i, j, k]);
}
kernel scans(a: i32[n, n] layout hilbert, out s: i32[n, n] layout morton, out t: i32[n, n] layout hilbert, out u: i32[n, n]) {
	scan s[i, j] = sum[j](a[i, j]);
	scan t[i, j] = sum[i](a[i, j]);
	scan u[i, j] = max[j](a[i, j]);
}
kernel products(a: i32[n, n] layout morton, b: i32[n, n] layout hilbert, x: i32[n, n], out c: i32[n, n] layout hilbert, out d: i32[n, n]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
	matmul d[i, j] = sum[k](x[i, k] * a[j, k]);
}
kernel floats(a: f32[n, n] layout morton, b: f32[n, n] layout hilbert, out c: f32[n, n] layout morton) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}
kernel moved(a: i32[n, n] layout hilbert, at: i32[m], out y: i32[m], inout h: i32[n, n] layout morton, inout t: i32[n, n] layout hilbert) {
	gather y[k] = a[at[k], at[m - 1 - k]] drop;
	scatter h[at[k], k % 7] += y[k] drop;
	histogram t[at[k], at[k]] += 1 drop;
}
kernel wave(c: i32[n, n] layout hilbert, out w: i32[n, n]) {
	wavefront w[i, j] = max(w[i-1, j], w[i, j-1]) + c[i, j] boundary 0;
}
kernel ordered(a: i32[n, n] layout morton, out list: i32[m], out count: i64) {
	compact list, count = a[i, j] where a[i, j] > 3;
}
kernel structs(p: P[n, n] layout morton, inout q: P[n, n, n] layout hilbert, out e: P[n, n] layout hilbert) {
	gather e[i, j] = P(p[i, j].z, p[j, i].x, q[i, j, j].y);
	gather q[i, j, k].x = 2 * q[i, j, k].y + p[j, k].z;
}
kernel swapped(inout a: P[n, n] layout morton, inout b: P[n, n] layout morton, steps: i32) {
	repeat t < steps % 3 {
		stencil b[i, j].x = a[i-1, j].y, b[i, j].y = a[i, j+1].z, b[i, j].z = a[i, j].x boundary clamp;
		swap a, b;
	}
}
kernel whole(a: f64[16, 16] layout hilbert, b: i8[4, 4, 4] layout morton, out c: f64[16, 16] layout morton, out d: i8[4, 4, 4] layout hilbert) {
	map c[i, j] = a[i, j] * 2;
	transpose d[i, j, k] = b[k, j, i];
}
kernel kept(inout a: f32[n, n], x: f32[n, n] layout hilbert) {
	transpose a[i, j] += x[j, i];
}
