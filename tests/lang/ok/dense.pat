// Dense systems: sizes up to 32, f32 and f64, a batch of any rank or none, the axis of the unknown anywhere; entries of
// expressions, of several terms and under conditions; rows that must be exchanged; symmetric and positive definite ones.
const WEIGHT: f32[3] = [1, 2, 3];
kernel lu1(a: f32[m, 1, 1], d: f32[m, 1], out x: f32[m, 1]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu2(a: f64[m, 2, 2], d: f64[m, 2], out x: f64[m, 2]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu3(a: f32[m, 3, 3], d: f32[m, 3], out x: f32[m, 3]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu4(a: f32[m, 4, 4], d: f32[m, 4], out x: f32[m, 4]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu5(a: f64[m, 5, 5], d: f64[m, 5], out x: f64[m, 5]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu8(a: f32[m, 8, 8], d: f32[m, 8], out x: f32[m, 8]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
kernel lu16(a: f32[m, 16, 16], d: f32[m, 16], out x: f32[m, 16]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel lu16d(a: f64[m, 16, 16], d: f64[m, 16], out x: f64[m, 16]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel lu17(a: f64[m, 17, 17], d: f64[m, 17], out x: f64[m, 17]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel lu31(a: f32[m, 31, 31], d: f32[m, 31], out x: f32[m, 31]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel lu32(a: f64[m, 32, 32], d: f64[m, 32], out x: f64[m, 32]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel one(a: f64[6, 6], d: f64[6], out x: f64[6]) { solve x[i] in sum[j](a[i, j] * x[j]) = d[i]; }
kernel two_axes(a: f32[p, q, 3, 3], d: f32[p, q, 3], out x: f32[p, q, 3]) {
	solve x[s, t, i] in sum[j](a[s, t, i, j] * x[s, t, j]) = d[s, t, i];
}
kernel beside(a: f32[7, 7, m], d: f32[7, m], out x: f32[7, m], out y: f32[3, m], e: f64[12, m], b: f64[12, 12, m],
		out z: f64[12, m]) {
	solve x[i, k] in sum[j](a[i, j, k] * x[j, k]) = d[i, k];
	solve y[i, k] in sum[j in 0..3](a[j, i, k] * y[j, k]) = d[i + 2, k];
	solve z[i, k] in sum[j](b[i, j, k] * z[j, k]) = e[i, k];
}
kernel turned(a: f32[m, 9, 9], d: f32[m, 9], out x: f32[m, 9]) {
	solve x[k, i] in sum[j](a[k, j, i] * x[k, j]) = d[k, i];
}
kernel columns(a: f32[m, 6, 6] layout col, d: f32[m, 6] layout col, out x: f32[m, 6] layout col) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel shared_matrix(a: f64[10, 10], d: f64[m, 10], out x: f64[m, 10]) {
	solve x[k, i] in sum[j](a[i, j] * x[k, j]) = d[k, i];
}
kernel terms(a: f32[m, 3, 3], d: f32[m, 3], w: f32, out x: f32[m, 3], out y: f32[m, 3]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) / 2 - w * x[k, i] + d[k, i] = 1 - sum[j](a[k, j, i]);
	solve y[k, i] in sum[j](a[k, i, j] * (y[k, j] - d[k, j])) + sum[l where l <= i](f32(l + i) * y[k, l]) + 9 * y[k, i] =
		WEIGHT[i] * d[k, i];
}
kernel conditions(a: f64[m, 5, 5], d: f64[m, 5], out x: f64[m, 5]) {
	solve x[k, i] in i == 0 ? x[k, i] : sum[j](i == j ? (abs(a[k, i, j]) + 6) * x[k, j] : a[k, i, j] * x[k, j]) =
		i == 0 ? 3 : d[k, i];
}
// Cauchy-like entries without an array, and a permutation: row i has its 1 in column 7 i + k of 11
kernel made(d: f64[m, 4], out x: f64[m, 4], e: f32[m, 11], out y: f32[m, 11]) {
	solve x[k, i] in sum[j](1 / (1 + f64(i + j)) * x[k, j]) = d[k, i];
	solve y[k, i] in sum[j]((7 * i + k) % 11 == j ? 2 * y[k, j] : 0) = e[k, i];
}
// Every third system has two equal rows: a pivot is 0.
kernel singular(a: f64[m, 4, 4], d: f64[m, 4], out x: f64[m, 4]) {
	solve x[k, i] in sum[j](a[k, k % 3 == 0 && i == 1 ? 0 : i, j] * x[k, j]) = d[k, i];
}
kernel fused(a: f32[m, 6, 6], d: f32[m, 6], out x: f32[m, 6], out norm: f32[m]) {
	let scaled: f32[m, 6, 6];
	let right: f32[m, 6];
	map scaled[k, i, j] = a[k, i, j] * 0.5 + (i == j ? 4 : 0);
	map right[k, i] = d[k, i] * d[k, i];
	solve x[k, i] in sum[j](scaled[k, i, j] * x[k, j]) = right[k, i];
	reduce norm[k] = sum[i](x[k, i] * x[k, i]);
}
kernel positive3(a: f32[m, 3, 3], d: f32[m, 3], out x: f32[m, 3]) {
	solve x[k, i] in sum[j]((i == j ? 4 + abs(a[k, i, j]) : clamp(a[k, i, j], -1, 1)) * x[k, j]) = d[k, i] symmetric positive;
}
kernel positive16(a: f64[m, 16, 16], d: f64[m, 16], out x: f64[m, 16]) {
	solve x[k, i] in sum[j]((i == j ? 20 : clamp(a[k, i, j], -1, 1)) * x[k, j]) = d[k, i] symmetric positive;
}
kernel positive27(b: f32[27, 27, m], d: f32[27, m], out x: f32[27, m]) {
	solve x[i, k] in sum[j](clamp(b[i, j, k], -1, 1) * x[j, k]) + 30 * x[i, k] = d[i, k] symmetric positive;
}
// not all are positive definite
kernel doubtful(a: f64[m, 2, 2], d: f64[m, 2], out x: f64[m, 2]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] symmetric positive;
}
kernel steps(inout x: f64[m, 3], a: f64[m, 3, 3], steps: i32) {
	let y: f64[m, 3];
	repeat t < steps {
		solve y[k, i] in 8 * y[k, i] + sum[j](clamp(a[k, i, j], -1, 1) * y[k, j]) = x[k, i];
		map x[k, i] = y[k, i] + 1;
	}
}
test systems {
	lu2(a = [[[0, 2], [1, 4]], [[1, 2], [3, 4]]], d = [[2, 9], [5, 11]]) -> x = [[5, 1], [1, 2]] within 0.000001;
	lu3(a = [[[0, 0, 2], [4, 0, 0], [0, 8, 0]]], d = [[2, 4, 16]]) -> x = [[1, 2, 1]];
	lu1(a = [[[4]], [[-2]]], d = [[2], [2]]) -> x = [[0.5], [-1]];
	doubtful(a = [[[4, 99], [2, 2]]], d = [[8, 5]]) -> x = [[1.5, 1]];
}
