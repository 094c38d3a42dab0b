// Folds whose terms or conditions have no value where a cell has no such fold: loops, tables, reads that outer conditions keep inside.
const W: i32[4] = [1, 2, 3, 4];
fn twos(n0: i64) -> i64 { var n = n0; var c: i64; while n % 2 == 0 { n /= 2; c += 1; } return c; }
fn pairing(a: i32, b: i32) -> i32 = a % 4 + b % 4 == 3 ? 1 : 0;
kernel ends(p: i64[n], q: i64[n], inout t: i64[n, n]) {
	wavefront t[i, j] = p[i] + sum[k in 0..min(i, j)](t[i, k] + t[k, j] + twos((p[i] | 1) * (q[j] | 1) * 4));
}
kernel looks(p: i32[n, n], inout t: i32[n, n]) {
	wavefront t[i, j] = i <= j && j - i < 4 ? p[i, j] + sum[k in 0..i](t[i, k] * t[k, j] * W[j - i]) : p[i, j];
}
kernel ordered(a: i32[n], p: i32[n, n], out t: i32[n, n]) {
	wavefront t[i, j] = i == 0 ? p[i, j] : (a[i-1] > 0 ? sum[k in 0..j](t[i, k]) : max[k in 0..j](t[i, k]));
}
kernel paired(base: i32[n], out t: i32[n, n]) {
	wavefront t[i, j] = j > i ? max[k in i..j](t[i, k] + t[k+1, j] + pairing(base[i], base[j])) : 0 from below;
}
