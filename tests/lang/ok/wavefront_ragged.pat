// problems with ranges of their own: rows and columns that data bound
kernel padded(p: i32[k, m, n], length: i32[k], out A: i32[k, m, n]) {
	wavefront A[b, i, j] = p[b, i, j] + 3 * A[b, i-1, j-1] - A[b, i, j-1] - 2 * A[b, i-1, j]
		boundary i32(i + 2 * j) for b in 0..k, i in 0..m, j in 0..length[b];
}
kernel joined(q: u8[m], d: u8[n], first: i64[k+1], out best: i32[k]) {
	let H: i32[k, m, n];
	wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, max(H[b, i-1, j-1] + (q[i] == d[first[b] + j] ? 3 : -1), 0))
		boundary 0 for b in 0..k, i in 0..m, j in 0..first[b+1] - first[b];
	reduce best[b] = max[i, j](H[b, i, j]);
}
kernel gotoh(q: u8[m], d: u8[n], first: i32[k], length: u16[k], inout E: i32[k, m, n], inout H: i32[k, m, n]) {
	wavefront E[b, i, j] = max(E[b, i, j-1] - 1, H[b, i, j-1] - 2), H[b, i, j] = max(E[b, i, j], H[b, i-1, j-1] + (d[j + first[b]] == q[i] ? 3 : -1))
		boundary (-4, 0) for b in 0..k, i in 0..m, j in 0..length[b];
}
kernel vouched(q: u8[m], d: u8[n], first: i32[k+1], inout H: i32[k, m, n]) {
	wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, H[b, i-1, j-1] + (q[i] == d[first[b] + j] ? 3 : -1))
		boundary 0 for b in 0..k, i in 0..m, j in 0..first[b+1] - first[b] trusted;
}
kernel between(from_: i32[k], to: i32[k], rows: u8[k], inout A: i64[k, m, n]) {
	wavefront A[b, i, j] = A[b, i-1, j] + 2 * A[b, i, j-1] - A[b, i, j] boundary i
		for b in 0..k, i in 0..rows[b], j in from_[b]..to[b];
}
kernel backwards(rows: i64[k], length: i16[k], inout A: i32[k, m, n]) {
	wavefront A[b, i, j] = A[b, i+1, j] - 2 * A[b, i, j+1] + A[b, i-1, j] boundary i32(j)
		for b in 0..k, i in 0..rows[b], j in 0..length[b] from right from below;
}
kernel relaxed(rows: i32[k], length: i32[k], inout A: f32[k, m, n]) {
	wavefront A[b, i, j] = (A[b, i-1, j] + A[b, i, j-1] + A[b, i+1, j] + A[b, i, j+1]) / 4 boundary 1
		for b in 0..k, i in 0..rows[b], j in 0..length[b];
}
kernel coupled(length: i32[k], p: i32[k, m, n], inout A: i32[k, m, n], inout B: i8[k, m, n]) {
	wavefront A[b, i, j] = p[b, i, j] + A[b, i, j-2] - i32(B[b, i-1, j+1]), B[b, i, j] = i8(A[b, i-1, j] + i32(B[b, i, j-1]) / 2)
		boundary (1, 2) for b in 0..k, i in 0..m, j in 0..length[b] where p[b, i, j] != 1;
}
kernel one(n_used: i32[1], p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 1 for i in 0..m, j in 0..n_used[0];
}
kernel counted(x: i32[m], p: i32[m, n], inout A: i32[m, n]) {
	let rows: i64;
	reduce rows = count[i](x[i] > 0);
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 1 for i in 0..rows, j in 0..n;
}
// strips whose warp computes alone, fewer of them in some problems
kernel served(rows: i32[k], inout A: i32[k, m, n]) {
	wavefront A[b, i, j] = max(A[b, i, j-1] + 1, A[b, i-1, j] - 2 * A[b, i, j]) boundary 0 for b in 0..k, i in 0..rows[b], j in 0..n;
}
test padded_and_joined {
	padded(p = [[[1, 1], [1, 1]], [[1, 1], [1, 1]]], length = [2, 1]) -> A = [[[-4, 0], [4, -15]], [[-4, 0], [4, 0]]];
	joined(q = [1, 2, 3], d = [1, 2, 3, 1, 2, 9, 3], first = [0, 2, 3, 7]) -> best = [6, 3, 7];
}
