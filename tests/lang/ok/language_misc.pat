// what else a page of the language promises
struct Pt { x, y: f32 }
const LIMIT: f32 = 1.5;
fn clip(x: f32) -> f32 = clamp(x, -LIMIT, LIMIT);
fn inc(a: u8) -> u8 = a + 1;
fn half(a: i16) -> i16 = a / 2;
fn is_odd(i: i64) -> bool = i % 2 == 1;
fn pick(c: bool, a: i32, b: i32) -> i32 = c ? a : b;
fn fib(n: i32) -> i64 {
	var a: i64 = 0;
	var b: i64 = 1;
	for k in 0..clamp(n, 0, 60) {
		let c = a + b;
		a = b;
		b = c;
	}
	return a;
}
fn newton(x: f64) -> f64 {
	var y = max(x, 1);
	var k: i32 = 0;
	while abs(y * y - x) > 1e-9 && k < 40 { y = 0.5 * (y + x / y); k += 1; }
	return y;
}
kernel u1(a: u8[n], b: i16[n], out c: u8[n], out d: i16[n], out e: i64[n]) {
	map c[i] = inc(a[i]), d[i] = half(b[i]), e[i] = fib(i32(a[i]));
}
kernel u2(x: f64[n], out y: f64[n]) { map y[i] = newton(abs(x[i])); }
kernel u3(x: f32[n], k: i32[n], out y: i32[n]) {
	map y[i] = pick(is_odd(i) && x[i] > 0, k[i], -k[i]) where !is_odd(i + 1) || k[i] > 2;
}
kernel u4(x: f32[n], out y: f32[n], out s: f32) {
	let top: f32;
	let ok: bool;
	reduce top = max[i](x[i]), ok = any[i](x[i] > 1);
	map y[i] = ok ? x[i] / top : clip(x[i]) where x[i] <= top;
	stencil y[i] += x[i-1] + top boundary (top * 2);
	map s = clip(top) + (ok ? 1 : 0);
}
kernel u5(a: f32[a1, 2, a3, 1, 2, 1], out y: f32[a1, 2, a3, 1, 2, 1], out s: f32[a3, 2]) {
	stencil y[i, j, k, l, m, o] = a[i, j+1, k, l, m-1, o] + a[i, j, k, l-1, m, o+1] boundary wrap;
	reduce s[k, m] = sum[i, j, l, o](a[i, j, k, l, m, o]);
}
kernel u6(a: i32[p, 2, q, 1, 3, 1, 2, 5], out y: i32[p, 2, q, 1, 3, 1, 2, 5], out t: i64) {
	map y[i, j, k, l, m, o, b, c] = a[i, j, k, l, m, o, b, c] + i32(i + c);
	reduce t = sum[i, j, k, l, m, o, b, c](i64(a[i, j, k, l, m, o, b, c]));
}
kernel u7(x: f32[n], y: f32[n-1], out d: f32[n-1], out m: f32[n+1]) {
	stencil d[i] = x[i+1] - x[i] + y[i];
	map m[i] = 0;
	map m[i] = x[i] for i in 0..n;
	map m[i+1] += x[i] for i in 0..n;
}
kernel u8(x: f32[n], y: f32[m], z: f32[n+m], w: f32[2*n+3*m+1], out o: f32[n+m], out q: f32[n-m]) {
	map o[i] = z[i];
	map o[i] += x[i] for i in 0..n;
	map q[i] = 3;
	map o[i] += w[i];
}
kernel u9(x: f32[n], out k: i32, out s: i64) {
	reduce k = i32(count[i](x[i] > 0)) + 1;
	map s = k;
	map s += s;
	loop: repeat t < 3 { add: map s += t; }
}
kernel u10(a: u8[n], b: i32[n], c: bool[n], x: f32[n], out y: f32[n], out z: i32[n], out w: f64[n]) {
	map y[i] = c[i] ? 1 : x[i];
	map z[i] = c[i] ? a[i] : b[i];
	map w[i] = (c[i] ? f64(a[i]) : 0.5) * (a[i] > 3 ? 2 : 3) where true;
}
kernel u11(x: f32[n], out y: f32[n], out a: bool, out b: bool, out c: bool) {
	map y[i] = x[i] for i in 0..0;
	reduce a = all[i in 0..0](x[0] > 0), b = any[i in 0..0](true), c = all[i](x[i] == x[i]);
}
kernel u12(x: f32[n], out mn: f32, out mx: f32, out s: f32, out p: f32, out c: i64) {
	reduce mn = min[i in 5..2](x[i]), mx = max[i in 5..2](x[i]), s = sum[i in 5..2](x[i]), p = prod[i in 5..2](x[i]), c = count[i in 5..2](x[i] > 0);
}
kernel u13(x: f32[n], k: i32[n], out a: i32, out b: u8, out c: i64) {
	reduce a = max[i where k[i] > 1000000](k[i]), b = min[i in 0..n where false](u8(1)), c = min[i where k[i] > 1000000](i64(k[i]));
}
kernel u14(p: Pt[n], x: f32[n], out q: Pt[n]) {
	map q[i].x = p[i].x where x[i] > 0;
	map q[i].y = p[i].y + q[i].x;
}
kernel u15(rows: f32[cells, lane], stop: f32[lane], out partial: f32[cells], out ticket: f32, limit: i32) {
	reduce partial[blockIdx] = sum[t](rows[blockIdx, t] * stop[t]);
	reduce ticket = max[threadIdx](partial[threadIdx]) + f32(limit);
	repeat pass < limit { map partial[i] += 1; }
}
kernel u16(NULL: f32[EOF], INFINITY: f32, errno: i32, out I: f32[EOF], out M_PI: f32[EOF], out stdout: f32) {
	map I[assert] = NULL[assert] * INFINITY, M_PI[assert] = f32(errno);
	reduce stdout = sum[printf](NULL[printf]);
}
kernel main(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel abs(x: f32[n], out y: f32[n]) { map y[i] = abs(x[i]); }
kernel printf(x: f32[n], out y: f32[n], out sum: f32) { map y[max] = max(x[max], 0); reduce sum = sum[i](y[i]); }
kernel memcpy(f32: f32[f64], out i32: f32[f64]) { map i32[i] = f32(f32[i]); }
kernel u17(x: f32[n], out y: f32[n], out z: f32[n], k: i32) {
	map y[i] = x[i] where i % 2 == 0;
	map y[i] = y[i] * 2;
	map z[i] = 1 for i in 1..n;
	repeat t < min(k, 2) { map z[i] += y[i]; }
	map z[i] = z[i] - 1;
}
