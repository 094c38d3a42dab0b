// many small problems: a few lanes each
kernel scores(q: u8[m], d: u8[n], first: i64[k+1], out H: i32[k, m, n]) {
	all: wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, max(H[b, i-1, j-1] + (q[i] == d[first[b] + j] ? 3 : -1), 0))
		boundary 0 for b in 0..k, i in 0..m, j in 0..first[b+1] - first[b] trusted;
}
kernel gaps(q: u8[k, m], d: u8[k, n], rows: i32[k], length: u8[k], out E: i16[k, m, n], out F: i64[k, m, n], out H: i32[k, m, n]) {
	all: wavefront E[b, i, j] = i16(max(i32(E[b, i, j-1]) - 1, H[b, i, j-1] - 3)),
		F[b, i, j] = max(F[b, i-1, j] - 1, i64(H[b, i-1, j]) - 3),
		H[b, i, j] = max(max(H[b, i-1, j-1] + (q[b, i] == d[b, j] ? 3 : -3), i32(E[b, i, j])), i32(max(F[b, i, j], 0)))
		boundary (-9, -9, i32(i + 2 * j)) for b in 0..k, i in 0..rows[b], j in 0..length[b];
}
kernel inside(p: f32[l, k, m, n], inout A: f32[l, k, m, n]) {
	all: wavefront A[a, b, i, j] = p[a, b, i, j] + A[a, b, i-1, j] / 2 - A[a, b, i, j-1] / 4 for i in 1..m, j in 1..n;
}
kernel backwards(p: u8[k, 60, n], out A: u8[k, 60, n]) {
	all: wavefront A[b, i, j] = p[b, i, j] + 3 * A[b, i+1, j+1] boundary u8(i + j & 7) from right from below;
}
kernel halves(p: f16[k, n], w: f64[m], inout A: f16[k, m, n], out B: bool[k, m, n]) {
	all: wavefront A[b, i, j] = f16(p[b, j] / 4 + f32(A[b, i-1, j]) * f32(w[i] > 0 ? 0.5 : 0.25)), B[b, i, j] = B[b, i, j-1] != (A[b, i, j] > 0.5)
		boundary (1, false) for b in 0..k, i in 0..m, j in 0..n;
}
kernel summed(p: i32[k, m, n], out A: i64[k, m, n], out s: i64, out best: i64, out b_at: i64, out i_at: i64, out j_at: i64) {
	all: wavefront A[b, i, j] = i64(p[b, i, j]) + A[b, i-1, j-1] - A[b, i, j-1] boundary 1;
	reduce best, b_at, i_at, j_at = argmax[b, i, j](A[b, i, j]);
	reduce s = sum[b, i, j](A[b, i, j]);
}
kernel scored(q: u8[m], d: u8[k, n], out best: i32, out b_at: i64, out i_at: i64, out j_at: i64, out F: i32[k, m, n]) {
	let E: i32[k, m, n];
	let H: i32[k, m, n];
	all: wavefront E[b, i, j] = max(E[b, i, j-1] - 1, H[b, i, j-1] - 3), F[b, i, j] = max(F[b, i-1, j] - 1, H[b, i-1, j] - 3),
		H[b, i, j] = max(max(H[b, i-1, j-1] + (q[i] == d[b, j] ? 3 : -1), E[b, i, j]), max(F[b, i, j], 0)) boundary (-9, -9, 0);
	reduce best, b_at, i_at, j_at = argmax[b, i, j](H[b, i, j]);
}
kernel score(q: u8[m], d: u8[k, n], out best: i32) {
	let H: i32[k, m, n];
	all: wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, max(H[b, i-1, j-1] + (q[i] == d[b, j] ? 3 : -1), 0)) boundary 0;
	reduce best = max[b, i, j](H[b, i, j]);
}
schedule scores for cuda { all: sweep batch; }
schedule gaps for cuda { all: sweep batch; }
schedule inside for cuda { all: sweep batch; }
schedule backwards for cuda { all: sweep batch; }
schedule halves for cuda { all: sweep batch; }
schedule scores for hip { all: sweep batch; }
schedule gaps for hip { all: sweep batch; }
schedule inside for hip { all: sweep batch; }
schedule backwards for hip { all: sweep batch; }
schedule halves for hip { all: sweep batch; }
schedule scored for cuda { all: sweep batch; }
schedule scored for hip { all: sweep batch; }
schedule score for cuda { all: sweep batch; }
schedule score for hip { all: sweep batch; }
schedule summed for cuda { all: sweep batch; }
schedule summed for hip { all: sweep batch; }
test of_three {
	scores(q = [1, 2], d = [1, 2, 1], first = [0, 2, 3]) -> H = [[[3, 1, 0], [1, 6, 0]], [[3, 0, 0], [1, 0, 0]]];
}
