// tables of wavefronts of which others read a row, a column or a cell: nothing else of them is stored
struct Pair { n: i32, w: f32 }
kernel ends(q: u8[m], d: u8[n], out best: i32, out right: i32[m+1], out all_: i32) {
	let H: i32[m+1, n+1];
	wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, H[i-1, j-1] + (i > 0 && j > 0 ? (q[max(i, 1) - 1] == d[max(j, 1) - 1] ? 3 : -1) : 0))
		boundary i32(i + j);
	reduce all_ = max[i, j](H[i, j]);
	reduce best = max[j](H[m, j]) + H[m, n];
	map right[i] = H[i, n] + best;
}
kernel scores(q: u8[k, 9], d: u8[k, 7], out score: i32[k], out top: i32[k]) {
	let E: i32[k, 9, 7];
	let H: i32[k, 9, 7];
	all: wavefront E[b, i, j] = max(E[b, i, j-1] - 1, H[b, i, j-1] - 3), H[b, i, j] = max(E[b, i, j], H[b, i-1, j-1] + (q[b, i] == d[b, j] ? 3 : -1))
		boundary 0;
	reduce top[b] = max[i, j](H[b, i, j]) + E[b, 8, 6];
	map score[b] = H[b, 8, 6] + H[b, 8, 6] * 2;
}
kernel back(p: Pair[m, 6], out first: Pair[6], out n: i32) {
	let A: Pair[m, 6];
	wavefront A[i, j] = Pair(p[i, j].n ^ A[i+1, j].n, A[i, j+1].w + 1) boundary Pair(1, 2) from right from below;
	map first[j] = 0 < m ? A[0, j] : Pair(3, 4);
	map n = 0 < m ? A[m-1, 5].n : 7;
}
kernel passes(p: i32[5, n], out s: i32[n], out t: i32) {
	let a: i32[5, n];
	map t = 0;
	repeat h < 3 {
		map s[j] = a[4, j] + 1;
		wavefront a[i, j] = (p[i, j] ^ s[j]) + max(a[i-1, j], a[i, j-1], a[i-1, j-1] + 1) boundary 3;
	}
	reduce t = sum[j](a[4, j]);
}
kernel three(p: i32[5, n], out s: i32) {
	let a: i32[5, n];
	wavefront a[i, j] = p[i, j] + max(a[i-1, j], a[i, j-1], a[i-1, j-1] + 1) boundary 3;
	reduce s = sum[j](a[0, j] + a[4, j] + a[2, j]);
}
schedule scores for cuda { all: sweep batch; }
schedule scores for hip { all: sweep batch; }
