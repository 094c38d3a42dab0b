// reductions over each of a wavefront's problems, folded where their cells are born
struct Pair { n: i32, w: f32 }
op longer(a: Pair, b: Pair) -> Pair = a.n > b.n || (a.n == b.n && a.w >= b.w) ? a : b identity Pair(-2147483648, -inf), associative, commutative;
kernel search(q: u8[140], d: u8[k, 5], rows: i32[k], length: u8[k], scale: i32[k], out best: i32[k], out row: i64[k], out column: i64[k], out some: i64[k]) {
	let E: i32[k, 140, 5];
	let H: i32[k, 140, 5];
	all: wavefront E[b, i, j] = max(E[b, i, j-1] - 1, H[b, i, j-1] - 3),
		H[b, i, j] = max(max(H[b, i-1, j-1] + (q[i] % 4 == d[b, j] % 4 ? 3 : -3), E[b, i, j]), 0)
		boundary (-9, 0) for b in 0..k, i in 0..rows[b], j in 0..length[b];
	reduce best[b], row[b], column[b] = argmax[i in 0..rows[b], j in 0..length[b]](H[b, i, j]);
	reduce some[b] = count[i in 0..rows[b], j in 0..length[b]](H[b, i, j] > 2) * i64(scale[b]) + 1;
}
kernel batched(q: u8[9], d: u8[n], first: i64[6], out best: i32[5], out low: i64[5]) {
	let H: i32[5, 9, n];
	all: wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, max(H[b, i-1, j-1] + (q[i] == d[first[b] + j] ? 3 : -1), 0))
		boundary 0 for b in 0..5, i in 0..9, j in 0..first[b+1] - first[b] trusted;
	reduce best[b] = max[i in 0..9, j in 0..first[b+1] - first[b]](H[b, i, j]) trusted;
	reduce low[b] = sum[i in 0..9, j in 0..first[b+1] - first[b]](i64(H[b, i, j])) trusted;
}
kernel groups(p: i32[2, k, 3, 5], out A: i32[2, k, 3, 5], out s: i32[2], out t: i32[2, k], out u: i32, out row: i64[2, k], out at: i64[2, k]) {
	all: wavefront A[a, b, i, j] = max(p[a, b, i, j], max(A[a, b, i-1, j] - 2, A[a, b, i, j-1] - 3), A[a, b, i-1, j-1] + 1) boundary 0;
	reduce s[x] = max[b, i, j](A[x, b, i, j]);
	reduce u = sum[a, b, i, j](A[a, b, i, j]);
	reduce t[x, y], row[x, y], at[x, y] = argmin[i, j](A[x, y, i, j] & 63);
}
kernel rows(p: i32[2, m, 5], out a: i32[2, m, 5], out s: i32[2], out c: i64) {
	all: wavefront a[b, i, j] = p[b, i, j] ^ a[b, i-1, j] ^ a[b, i, j-1] boundary 0;
	reduce s[b] = sum[i, j](a[b, i, j] & 7) + (0 < m ? a[b, 0, 0] : 0);
	reduce c = count[b, i, j](a[b, i, j] > 0);
}
kernel hybrid(p: f32[3, m, 7], w: f32[3, 7], out s: f32[3]) {
	let a: f32[3, m, 7];
	all: wavefront a[b, i, j] = p[b, i, j] + 0.5 * a[b, i-1, j] - 0.25 * a[b, i, j-1] + 0.1 * a[b, i-1, j-1] boundary 1;
	reduce s[b] = sum[i, j where i > 0](a[b, i, j] * w[b, j]) / f32(m + 1);
}
kernel tiles(p: Pair[2, 4, n], out best: Pair[2]) {
	let a: Pair[2, 4, n];
	all: wavefront a[b, i, j] = Pair(p[b, i, j].n ^ a[b, i+1, j].n, a[b, i, j+1].w + p[b, i, j].w) boundary Pair(1, 2) from right from below;
	reduce best[b] = longer[i, j](a[b, i, j]);
}
kernel waits(p: i32[3, 2, 4, n], inout a: i32[3, 2, 4, n], out s: i32[3], out x: i64[3], out y: i64[3], out z: i64[3]) {
	all: wavefront a[b, h, i, j] = p[b, h, i, j] ^ a[b, h-1, i, j] ^ a[b, h, i-1, j] + a[b, h, i, j-1] boundary 0;
	reduce s[c], x[c], y[c], z[c] = argmax[h, i, j](a[c, h, i, j] & 63);
}
schedule search for cuda { all: sweep strips; }
schedule search for hip { all: sweep batch; }
schedule batched for cuda { all: sweep batch; }
schedule batched for hip { all: sweep strips; }
schedule groups for cuda { all: sweep batch; }
schedule groups for hip { all: sweep batch; }
schedule rows for cuda { all: sweep rows; }
schedule rows for hip { all: sweep rows; }
schedule hybrid for cuda { all: sweep hybrid; }
schedule hybrid for hip { all: sweep batch; }
schedule tiles for cuda { all: sweep diagonal; }
schedule tiles for hip { all: sweep strips; }
test of_two {
	rows(p = [[[1, 0, 0, 0, 2]], [[0, 0, 0, 0, 0]]]) -> s = [8, 0], c = 5;
}
