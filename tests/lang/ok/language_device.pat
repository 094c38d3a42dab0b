// device scalars: let s = e, out scalars, in expressions, as bounds of for and of folds (R23)
kernel ds1(x: f32[n], out y: f32[n]) {
	let s: f32;
	reduce s = sum[i](x[i]);
	map y[i] = x[i] / (abs(s) + 1);
}
kernel ds2(x: f64[n], k: f64, out y: f64[n], out v: f64) {
	let mean: f64 = 0;
	reduce mean = sum[i](x[i]) / f64(max(n, 1));
	let two: f64 = mean * 2 + k;
	reduce v = sum[i]((x[i] - mean) * (x[i] - mean)) + two;
	map y[i] = x[i] * v + two;
}
kernel ds3(x: f32[n], out y: f32[n]) {
	let count: i64;
	reduce count = count[i](x[i] > 0);
	map y[i] = 0;
	map y[i] = x[i] for i in 0..count;
}
kernel ds4(x: i32[n], out y: i32[n], out c: i32) {
	reduce c = max[i](x[i] % 20);
	map y[i] = 7;
	map y[i] = x[i] for i in 0..c;
}
kernel ds5(x: f32[n], c: i32[1], out y: f32[n], out s: f32) {
	let lo: i64;
	let hi: i64;
	reduce lo = count[i](x[i] > 1);
	reduce hi = count[i](x[i] > 0);
	map y[i] = -1;
	map y[i] = x[i] * 2 for i in lo..hi;
	map y[i] += 1 for i in hi..lo;
	reduce s = sum[i in lo..hi](x[i]);
}
kernel ds6(x: f32[n], out s: f32, out t: f32, out b: bool) {
	let c: i64;
	reduce c = count[i](x[i] < 0.5);
	reduce s = sum[i in 0..c](x[i]);
	reduce t = max[i in 0..c where x[i] < 0](x[i] * x[i]);
	reduce b = any[i in c/2..c](x[i] > 1.5);
}
kernel ds7(A: f32[n, m], out y: f32[n], out z: f32[m]) {
	let c: i64;
	reduce c = count[i, j](A[i, j] > 1);
	map y[i] = 0;
	reduce y[i] = sum[j in 0..c](A[i, j]) for i in 0..n where c < m;
	map z[j] = 0;
	reduce z[j] = sum[i in 0..min(c, n)](A[i, j]) for j in 0..min(c, m);
}
kernel ds8(x: f32[n], A: f32[n, m], out B: f32[n, m]) {
	let r: i64;
	let q: i64;
	reduce r = count[i](x[i] > 0);
	map q = r / 2;
	map B[i, j] = 1;
	map B[i, j] = A[i, j] for i in q..r;
	map B[i, j] += A[i, j] for i in 0..r, j in 0..q;
	map B[i, j] *= 2 for j in 0..min(i, q);
}
kernel ds9(x: f32[n], out y: f32[n], out s: f32) {
	let c: i64;
	reduce c = count[i](x[i] > -1);
	map y[i] = 0;
	stencil y[i] = x[i-1] + x[i+1] boundary clamp for i in 0..c;
	stencil y[i] = x[i-1] + x[i+1] for i in 1..min(c, n-1);
	reduce s = sum[i in 1..c](x[i] - x[i-1]);
}
kernel ds10(x: f32[n], out y: f32[n]) {
	let big: i64 = 1000000007;
	map y[i] = 1;
	map y[i] = x[i] for i in big..big+5;
}
kernel ds11(x: f32[n], out y: f32[n]) {
	let big: i64 = n + 3;
	map y[i] = 1;
	map y[i] = x[i] for i in 0..big;
}
kernel ds12(x: f32[n], out s: f32) {
	let big: i64 = n + 3;
	reduce s = sum[i in 0..big](x[i]);
}
kernel ds13(x: f32[n], out y: f32[n]) {
	let neg: i64 = -5;
	map y[i] = 1;
	map y[i] = x[i] for i in neg..n;
}
kernel ds14(x: f32[n], inout s: f32, out t: f32) {
	map s += 1;
	map t = s * 2;
	map s = t + s, t = s;
	reduce s += sum[i](x[i]);
	reduce t max= max[i](x[i]);
}
kernel ds15(a: i32, inout b: i64, out c: bool, out d: f32) {
	map b = b + a;
	map c = b > 3;
	map d = c ? 1 : f32(b);
}
kernel ds16(x: u8[n], y: u8[n], out z: u8[n]) {
	let m: u8;
	reduce m = max[i](x[i]);
	map z[i] = y[i] for i in 0..m;
	map z[i] = x[i] + m for i in m..n;
}
kernel ds17(x: f32[n], out A: f32[n, n]) {
	let c: i64;
	reduce c = count[i](x[i] > 0);
	map A[i, j] = 0;
	map A[i, j] = x[i] * x[j] for i in 0..c, j in 0..i+1;
}
kernel ds18(x: f32[n], out y: f32[n]) {
	let mean: f32 = sum[i](x[i]) / f32(max(n, 1));
	let dev: f64 = sqrt(sum[i](f64(x[i] - mean) * (x[i] - mean)));
	let some: bool = any[i](x[i] > 1) && n > 3;
	map y[i] = some ? (x[i] - mean) / f32(dev + 1) : 0;
	repeat t < 2 { let top: f32 = max[i](y[i]) + f32(t); map y[i] = y[i] - top * 0.5; }
}
kernel ds19(A: f32[n, m], v: i64, out y: f32[n, m], out z: f32[2*n+1], out q: f32[m], out p: f32[n, 4]) {
	let c: i64;
	reduce c = count[i, j](A[i, j] > 1.9);
	map y[i, j] = 0, y[i, j] = 1 for i in 0..c, j in 0..m where j > 0;
	map z[2*i+1] = f32(i) for i in 0..c;
	map z[n-i] = f32(i) + 0.5 for i in c..n;
	map q[j] = A[0, j] for j in c..c+2 where j < m && n > 0;
	map p[i, k] = 1 for i in 0..n, k in i..i+v where k >= 0 && k < 4;
	map p[i, k] = 2 for i in 0..n, k in i..c;
}
struct R { f: f32[3], k: i32 }
kernel ds20(x: f32[n], inout r: R[n], out a: f32[n], out b: f32[m]) {
	let c: i64 = count[i](x[i] > 1.5);
	map r[i].f[k] = x[i] for i in 0..n, k in 0..c;
	map r[i].f[k] += 1 for i in 0..n, k in 0..min(i, 3);
	map a[i] = 1, b[i] = 2 for i in 0..c;
}
kernel ds21(x: f32[n], w: bool[n], out a: f32[n], out s: f32) {
	let c: i64 = count[i](x[i] > 0) + n / 2;
	map a[i] = 0;
	map a[i] = 1 for i in 0..c where i % 2 == 1;
	map a[i] = 2 for i in 0..c where w[i];
	map a[i] = 3 for i in c-n..n where i > n;
	reduce s = sum[i in 0..c where w[i]](x[i]) + max[i in c/2..c](x[i]);
}
kernel ds22(inout k: i64, x: f32[n], out y: f32[n], out z: f32[n]) {
	map k = k % 8 - 2;
	map y[i] = x[i] for i in k..n;
	map k = k / 2 + 1;
	reduce z[i] = sum[j in k..i](x[j]) + f32(k);
}
kernel ds23(x: f32[n], out y: f32[n]) {
	let k: i64 = 0;
	map y[i] = 0;
	repeat until k >= 5 at most 8 {
		map y[i] += x[i] for i in k..min(k + 3, n);
		map k += 1;
	}
}
