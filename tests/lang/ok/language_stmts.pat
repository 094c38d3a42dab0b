// statements: domains, triangles, order of indices, where, labels, several equations, in place
use "language_ops.pat";
kernel s1(x: f32[n, m], out y: f32[m, n], out z: f32[n, m]) {
	map y[j, i] = 1;
	map z[i, j] = x[i, j] + y[0, 0] where m > 0 && n > 0;
}
kernel s2(A: f32[n, n], out L: f32[n, n], out U: f32[n, n]) {
	map L[i, j] = 0, U[i, j] = 0;
	low: map L[i, j] = A[i, j] for i in 0..n, j in 0..i+1;
	up: map U[i, j] = A[i, j] for i in 0..n, j in i..n;
	diag: map L[i, i] = 1;
}
kernel s3(A: f32[n, m], out B: f32[n, m]) {
	map B[i, j] = A[i, j] for j in 0..m, i in 0..n;
	map B[i, j] += 1 for j in 1..m, i in 0..n where j > i;
	map B[i, j] *= 2 for j in 0..min(n, m), i in 0..j;
}
kernel s4(x: f32[n], out y: f32[2*n], out z: f32[n+3]) {
	map y[2*i] = x[i], y[2*i] = x[i] + 1 for i in 0..n;
	map y[2*i+1] = -x[i] for i in 0..n;
	map z[i+3] = x[i] for i in 0..n;
	map z[i] = 5 for i in 0..3;
}
kernel s5(x: f32[n], out y: f32[n]) {
	map y[n-1-i] = f32(i) for i in 0..n;
	map y[i] += x[i] where i % 2 == 1 || x[i] > 0;
}
kernel s6(inout x: f32[n], inout y: f32[n], out z: f32[n]) {
	map x[i] = x[i] + y[i], y[i] = x[i] - y[i], z[i] = x[i] * y[i];
	map x[i] *= z[i], x[i] += y[i];
}
kernel s7(x: f32[n], k: i32, lo: i64, hi: u8, out y: f32[n]) {
	map y[i] = 0;
	map y[i] = x[i] for i in max(lo, 0)..min(hi, n);
	map y[i] += 1 for i in k..k+3 where i >= 0 && i < n;
	map y[i] += 1 for i in 5..2;
	map y[i] += 1 for i in n..0;
}
kernel s8(x: f32[n], k: i32, out y: f32[n]) {
	map y[i] = x[i];
	map y[i] = 2 * x[i] for i in 0..k;
}
kernel s9(x: f32[n, m], r: i64, c: i32, out y: f32[m], out z: f32[n], out w: f32) {
	map y[j] = r >= 0 && r < n ? x[r, j] : 0;
	map z[i] = x[i, m-1] where m > 0;
	map w = n > 0 && m > 0 ? x[n-1, 0] : -1;
	map y[j] += x[r, j] * f32(c);
}
kernel s10(x: f32[n], out y: f32[n]) {
	let a: f32[n];
	let b: f32[n];
	let unused: f64[n];
	map a[i] = x[i] + 1;
	map b[i] = a[i] * a[i];
	map a[i] = b[i] - 1;
	map y[i] = a[i] + b[i];
}
kernel s11(x: f32[n], out y: f32[n]) {
	let a: f32[n];
	map a[i] = x[i] where x[i] > 0;
	map y[i] = a[i];
}
kernel s12(x: f32[n], out y: f32[n], out z: f32[n]) {
	let a: f32[n];
	map y[i] = a[i] + 1;
	map a[i] = x[i];
	map z[i] = a[i];
}
kernel s13(x: f32[n], inout y: f32[n]) {
	let a: f32[n];
	map a[i] = y[i];
	map y[i] = x[i];
	map y[i] += a[i];
}
kernel s14(x: f32[n], y: f32[n], a: f32, b: f32, out z: f32[n]) {
	map z[i] = twice(x[i]) + weigh(y[i], Pair(a, b));
	map z[i] far= x[i];
}
kernel s15(int: f32[n], double: f32[n], class: i32, workspace: f32, stream: f32[n], out new: f32[n], out __x: f32) {
	map new[for_] = int[for_] + double[for_] * f32(class) + workspace + stream[for_];
	map __x = workspace;
}
kernel s16(x: f32[n], out y: f32[n], out c: bool[n]) {
	map c[i] = x[i] > 0, y[i] = c[i] ? x[i] : -x[i];
	map c[i] = !c[i] && i > 0;
	map c[i] &= y[i] < 1;
	map c[i] |= y[i] > 1.5;
	map c[i] ^= true;
}
kernel s17(A: f32[n, m], v: f32[m], out B: f32[n, m], out r: f32) {
	map B[i, j] = A[i, j] * v[j] + A[0, j] where n > 0;
	map r = f32(n) * f32(m) / 2;
}
kernel s18(A: f32[a, 2, c, d], out B: f32[a, 2, c, d]) {
	map B[i, j, k, l] = A[i, j, k, l] * f32(i + 2 * j + 3 * k + 4 * l);
	map B[i, j, k, l] = 0 for i in 0..a, j in 0..2, k in 0..c, l in 0..d where i == j && k == l;
}
kernel s19(A: f32[a, 2, c, 3, 4], v: f32[c], out B: f32[a, 2, c, 3, 4]) {
	map B[i, j, k, l, m] = A[i, j, k, l, m] + v[k] + f32(m);
}
kernel s20(x: i64[n], out y: i64[n], out s: i64) {
	map y[i] = x[i] * i + n - i;
	reduce s = sum[i](x[i] % 7 * i);
}
kernel s21(x: f32[n, m], out y: f32[n, m]) {
	map y[i, j] = x[i, j] for i in 1..n-1, j in 2..m-3;
}
kernel s22() { let s: i32; map s = 3; }
kernel s23(x: f32[n]) { let s: f32; reduce s = sum[i](x[i]); }
kernel s24(a: f32, b: f32, c: bool, out r: f32) { map r = c ? a : b; }
