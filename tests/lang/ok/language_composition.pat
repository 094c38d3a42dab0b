// composition: what fuses and what must not, loops around it, boundaries that read arrays
const BIG: i64 = 1000000000000;
struct Q { a, b: f32 }
kernel x1(a: f32[n], out c: f32[n], out d: f32[n]) {
	stencil c[i] = a[i-BIG] + a[i+BIG] boundary clamp;
	stencil d[i] = a[i-9000000000000000000] + a[i+7] boundary wrap;
	stencil d[i] += a[i-BIG] + a[i+BIG] boundary mirror;
	stencil d[i] -= a[i-3] + a[i+BIG] boundary reflect;
}
kernel x2(a: f32[n], out y: i64[n]) { map y[i] = i * 9223372036854775807 + (i << 62) - n; }
kernel x3(A: f32[n, m], out y: f32[n], out s: f32) {
	map y[i] = 0;
	reduce y[i] = sum[j](A[i, j]) where any[k](A[i, k] > 1.9);
	reduce s = sum[i where y[i] != 0](y[i]) + f32(count[i, j where j > i](A[i, j] > 0));
}
kernel x4(a: f32[n, m], top: f32[m], left: f32[n], out b: f32[n, m]) {
	stencil b[i, j] = a[i-1, j] + a[i, j-1] + a[i+1, j+1] boundary (i < 0 && j >= 0 && j < m ? top[j] : i >= 0 && i < n ? left[i] : -1);
}
kernel x5(x: f32[n], y: f32[n], out z: f32[n], out s: f32) {
	let t: f32[n];
	let u: f32[n];
	map t[i] = x[i] * y[i];
	stencil u[i] = t[i-1] + t[i] + t[i+1] boundary 0;
	map z[i] = u[i] * u[i];
	reduce s = sum[i](z[i] * t[i]);
}
kernel x6(x: f32[n], out z: f32[n], out a: f32, out b: f32) {
	let t: f32[n];
	map t[i] = x[i] + 1;
	reduce a = sum[i](t[i]);
	map t[i] = t[i] * a;
	reduce b = max[i](t[i]);
	map z[i] = t[i] - b;
}
kernel x7(inout u: f32[n, m], f: f32[n, m], steps: i32, tol: f32, out err: f32, out passes: i64) {
	let v: f32[n, m];
	let r: f32[n, m];
	map passes = 0;
	map err = inf;
	repeat until err < 0.25 at most (steps * 3) {
		stencil r[i, j] = f[i, j] - u[i, j] + 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) boundary (clamp, wrap);
		map v[i, j] = u[i, j] + 0.9 * r[i, j] * tol;
		reduce err = max[i, j](abs(v[i, j] - u[i, j]));
		swap u, v;
		map passes += 1;
	}
}
kernel x8(inout x: f32[n], inout r: f32[n], steps: i32, out rr: f64) {
	let p: f32[n];
	let q: f32[n];
	let alpha: f32;
	let pq: f64;
	map p[i] = r[i];
	reduce rr = sum[i](f64(r[i]) * r[i]);
	repeat t < min(steps, 4) {
		stencil q[i] = 2.5 * p[i] - p[i-1] - p[i+1] boundary 0;
		reduce pq = sum[i](f64(p[i]) * q[i]);
		map alpha = pq > 1e-30 ? f32(rr / pq) : 0;
		map x[i] += alpha * p[i], r[i] -= alpha * q[i];
		let old: f64 = rr;
		reduce rr = sum[i](f64(r[i]) * r[i]);
		map p[i] = r[i] + (old > 1e-30 ? f32(rr / old) : 0) * p[i];
	}
}
kernel x9(a: f32[n, m], out b: f32[n, m], out c: f32[n, m], out e: f32) {
	stencil b[i, j] = a[i-1, j] - a[i+1, j] boundary wrap where j % 3 != 0;
	stencil c[i, j] = b[i, j-1] + a[i, j] boundary clamp for i in 1..n where a[i, j] > 0;
	reduce e = max[i in 1..n, j](c[i, j]);
}
kernel x10(inout a: u8[n, m], steps: i32) {
	let b: u8[n, m];
	repeat t < min(steps, 5) {
		stencil b[i, j] = (i32(a[i-1,j-1]) + a[i-1,j] + a[i-1,j+1] + a[i,j-1] + a[i,j+1] + a[i+1,j-1] + a[i+1,j] + a[i+1,j+1]) % 8 == 3 ? 1 : a[i, j] & 7 boundary wrap;
		swap a, b;
	}
}
kernel x11(a: f32[n], k: i32, out b: f32[n]) {
	let t: f32[n];
	map b[i] = 0;
	repeat s < min(k, 3) {
		map t[i] = a[i] * f32(s) where i >= s;
		stencil b[i] += t[i-1] + t[i+1] boundary keep;
	}
}
kernel x12(x: f32[n], inout h: f32[n], out flag: bool, out lim: i32) {
	let go: bool;
	map flag = false;
	map lim = 0;
	repeat until flag || lim >= 7 && !go at most 20 {
		map h[i] = 0.5 * (h[i] + x[i]);
		reduce go = any[i](abs(h[i] - x[i]) > 0.1);
		map flag = !go;
		map lim += 2;
	}
}
kernel x13(A: f32[n, m], B: f32[n, m], out C: f32[n, m], out tr: f32, out fro: f64, out rows: i64) {
	map C[i, j] = A[i, j] - B[i, j];
	reduce tr = sum[i, j where i == j](C[i, j]), fro = sum[i, j](f64(C[i, j]) * C[i, j]);
	reduce rows = count[i](all[j](C[i, j] > -3.5));
}
kernel x14(a: f32[n], out b: f32[n], out s: f32) {
	stencil b[i] = a[i-1] + a[i+1] for i in 1..n-1;
	reduce s = sum[i in 1..n-1](b[i]);
}
kernel x15(a: Q[n, m], out b: f32[n, m], out s: f32, out t: f32) {
	stencil b[i, j] = a[i-1, j].a * a[i, j+1].b boundary (mirror, 2);
	reduce s = sum[i, j](b[i, j]), t = max[i, j](a[i, j].a + b[i, j]);
}
kernel x16(a: f64[l, n, m], out b: f64[l, n, m], out e: f64[l], out s: f64) {
	stencil b[q, i, j] = a[q, i-1, j] + a[q, i+1, j] + a[q, i, j-1] + a[q, i, j+1] boundary clamp;
	reduce e[q] = max[i, j](abs(b[q, i, j]));
	reduce s = sum[q](e[q]);
}
kernel x17(a: bool[n, m], out b: bool[n, m], out c: i64) {
	stencil b[i, j] = a[i, j] && (a[i-1, j] || a[i+1, j]) boundary false;
	reduce c = count[i, j](b[i, j] != a[i, j]);
}
kernel x18(inout a: f32[n, n], inout b: f32[n, n], k: i32) {
	repeat t < min(k, 4) {
		reduce b[i, j] = min[q](a[i, q] + a[q, j]);
		swap a, b;
	}
	swap a, b;
}
kernel x19(d: f32[n, n], out r: f32[n, n]) {
	map r[i, j] = d[i, j];
	repeat k < min(n, 9) { map r[i, j] = min(r[i, j], r[i, j] + f32(k)) where i != k && j != k; }
}
kernel x20(x: f32[n], out y: f32[n]) {
	let a: f32[n];
	let b: f32[n];
	map a[i] = x[i];
	map b[i] = 2 * x[i];
	swap a, b;
	map y[i] = a[i] - b[i];
	swap a, b;
	map y[i] += a[i] * 10;
}
