// two cells a word: a batch of which all values fit 16 bits, or, for the sizes given, do not
const LOW: i32 = -1000000;
const PAIRS: i32[3, 3] = [[5, -2, -1], [-2, 4, -3], [-1, -3, 950]];       // the largest number comes last
fn pair(a: u8, b: u8) -> i32 = PAIRS[min(a, 2), min(b, 2)];
kernel affine(q: u8[l, m], d: u8[l, n], rows: u8[l], open: i32, extend: i16, out best: i64[l]) {
	let E: i32[l, m, n];
	let F: i64[l, m, n];
	let H: i32[l, m, n];
	all: wavefront E[k, i, j] = max(E[k, i, j-1] - extend, H[k, i, j-1] - open), F[k, i, j] = max(F[k, i-1, j] - extend, H[k, i-1, j] - open),
		H[k, i, j] = max(H[k, i-1, j-1] + pair(q[k, i], d[k, j]), E[k, i, j], i32(F[k, i, j]), 0)
		boundary (LOW, i64(LOW), 0) for k in 0..l, i in 0..rows[k], j in 0..n;
	reduce best[k] = 1 + max[i in 0..rows[k], j in 0..n](i64(H[k, i, j]));
}
// all of one against all of the other, backwards, and the last cell only; what is outside goes down from -7
kernel global(q: u8[l, m], d: u8[l, n], out score: i16[l], out row: i16[l, n]) {
	let H: i16[l, m, n];
	all: wavefront H[k, i, j] = i16(max(i32(H[k, i, j+1]) - 3, i32(H[k, i+1, j]) - 3, H[k, i+1, j+1] + (q[k, i] == d[k, j] ? 3 : -2)))
		boundary i16(-7 - 2 * (i % 2)) from right from below;
	map score[k] = m > 0 && n > 0 ? H[k, 0, 0] : 0;
	map row[k, j] = m > 0 ? H[k, m - 1, j] : 0;
}
kernel nearest(p: i8[l, m, n], w: i8[n], out least: i32[l], out most: i32) {
	let D: i32[l, m, n];
	all: wavefront D[k, i, j] = p[k, i, j] + min(min(D[k, i, j-1] + w[j], D[k, i-1, j]), D[k, i-1, j-1] + 1) boundary (i32(j) - 2 * i32(i));
	reduce least[k] = min[i, j](D[k, i, j]);
	reduce most = max[k, i, j](D[k, i, j]);
}
// time warping: only the corner of what is outside is near
kernel warp(p: u8[l, m], q: u8[l, n], out cost: i32[l]) {
	let D: i32[l, m, n];
	all: wavefront D[k, i, j] = min(abs(i32(p[k, i]) - i32(q[k, j])), 200) + min(D[k, i, j-1], D[k, i-1, j], D[k, i-1, j-1])
		boundary (i < 0 && j < 0 ? 0 : 1000000000);
	map cost[k] = m > 0 && n > 0 ? D[k, m - 1, n - 1] : 0;
}
// letters that are no halves; a condition that chooses between cells
kernel common(q: i32[m], d: f32[l, n], out length: i32[l]) {
	let L: i32[l, m, n];
	all: wavefront L[k, i, j] = f32(q[i]) < d[k, j] ? L[k, i-1, j-1] + 1 : max(L[k, i, j-1], L[k, i-1, j]) boundary 0;
	map length[k] = m > 0 && n > 0 ? L[k, m - 1, n - 1] : 0;
}
schedule affine for cuda { all: sweep batch, pack 16; }
schedule global for cuda { all: sweep batch, pack 16; }
schedule nearest for cuda { all: sweep batch, pack 16; }
schedule warp for cuda { all: sweep batch, pack 16; }
schedule warp for hip { all: sweep batch, pack 16; }
schedule common for cuda { all: sweep batch, pack 16; }
schedule affine for hip { all: sweep batch, pack 16; }
schedule global for hip { all: sweep batch, pack 16; }
schedule nearest for hip { all: sweep batch, pack 16; }
schedule common for hip { all: sweep batch, pack 16; }
test small {
	warp(l = 2, m = 40, n = 130, p = random, q = random);
	affine(l = 5, m = 29, n = 9, q = random, d = random, rows = [29, 1, 0, 17, 16], open = 3, extend = 1);
	affine(q = [[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]], d = [[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
		rows = [35], open = 3, extend = 1) -> best = [33251];
	affine(q = [[0, 0, 2]], d = [[2, 2, 0, 1, 2]], rows = [3], open = 255, extend = 0) -> best = [954];
	affine(q = [[0, 0, 2]], d = [[2, 2, 0, 1, 2]], rows = [3], open = 256, extend = -1) -> best = [954];
}
