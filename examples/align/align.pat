// align.pat - how alike two proteins are: the best alignment of any part of the one with any part
// of the other (Smith and Waterman 1981), where a gap costs more to open than to extend (Gotoh
// 1982).
//
// E is the best that ends in a gap in q, F in a gap in d, H the best that ends in these two letters
// at all.

// A letter is its place in ARNDCQEGHILKMFPSTWYVBZX*.
const BLOSUM62: i32[24, 24] = [
	[ 4, -1, -2, -2,  0, -1, -1,  0, -2, -1, -1, -1, -1, -2, -1,  1,  0, -3, -2,  0, -2, -1,  0, -4],
	[-1,  5,  0, -2, -3,  1,  0, -2,  0, -3, -2,  2, -1, -3, -2, -1, -1, -3, -2, -3, -1,  0, -1, -4],
	[-2,  0,  6,  1, -3,  0,  0,  0,  1, -3, -3,  0, -2, -3, -2,  1,  0, -4, -2, -3,  3,  0, -1, -4],
	[-2, -2,  1,  6, -3,  0,  2, -1, -1, -3, -4, -1, -3, -3, -1,  0, -1, -4, -3, -3,  4,  1, -1, -4],
	[ 0, -3, -3, -3,  9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -3, -3, -2, -4],
	[-1,  1,  0,  0, -3,  5,  2, -2,  0, -3, -2,  1,  0, -3, -1,  0, -1, -2, -1, -2,  0,  3, -1, -4],
	[-1,  0,  0,  2, -4,  2,  5, -2,  0, -3, -3,  1, -2, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4],
	[ 0, -2,  0, -1, -3, -2, -2,  6, -2, -4, -4, -2, -3, -3, -2,  0, -2, -2, -3, -3, -1, -2, -1, -4],
	[-2,  0,  1, -1, -3,  0,  0, -2,  8, -3, -3, -1, -2, -1, -2, -1, -2, -2,  2, -3,  0,  0, -1, -4],
	[-1, -3, -3, -3, -1, -3, -3, -4, -3,  4,  2, -3,  1,  0, -3, -2, -1, -3, -1,  3, -3, -3, -1, -4],
	[-1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4, -2,  2,  0, -3, -2, -1, -2, -1,  1, -4, -3, -1, -4],
	[-1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5, -1, -3, -1,  0, -1, -3, -2, -2,  0,  1, -1, -4],
	[-1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,  0, -2, -1, -1, -1, -1,  1, -3, -1, -1, -4],
	[-2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6, -4, -2, -2,  1,  3, -1, -3, -3, -1, -4],
	[-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7, -1, -1, -4, -3, -2, -2, -1, -2, -4],
	[ 1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,  1, -3, -2, -2,  0,  0,  0, -4],
	[ 0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5, -2, -2,  0, -1, -1,  0, -4],
	[-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,  2, -3, -4, -3, -2, -4],
	[-2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7, -1, -3, -2, -1, -4],
	[ 0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4, -3, -2, -1, -4],
	[-2, -1,  3,  4, -3,  0,  1, -1,  0, -3, -4,  0, -3, -3, -2,  0, -1, -4, -3, -3,  4,  1, -1, -4],
	[-1,  0,  0,  1, -3,  3,  4, -2,  0, -3, -3,  1, -1, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4],
	[ 0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2,  0,  0, -2, -1, -1, -1, -1, -1, -4],
	[-4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4,  1]
];
const LOW: i32 = -1000000;      // no alignment, far from the end of i32

fn score(a: u8, b: u8) -> i32 = BLOSUM62[min(a, 23), min(b, 23)];

// Where an alignment comes from: what ends it, and whether its gaps go on.
const PAIR: u8 = 1;
const IN_E: u8 = 2;
const IN_F: u8 = 3;
const E_GOES_ON: u8 = 4;
const F_GOES_ON: u8 = 8;

// The score of the best alignment, where it ends, and for its way back a byte a cell.
kernel align(q: u8[m], d: u8[n], open: i32, extend: i32,
             out way: u8[m, n], out best: i32, out row: i64, out column: i64)
{
	let E: i32[m, n];
	let F: i32[m, n];
	let H: i32[m, n];

	table: wavefront
		E[i, j] = E[i, j-1] - extend ◇ H[i, j-1] - open,
		F[i, j] = F[i-1, j] - extend ◇ H[i-1, j] - open,
		H[i, j] = H[i-1, j-1] + score(q[i], d[j]) ◇ E[i, j] ◇ F[i, j] ◇ 0,
		way[i, j] = (H[i, j] == 0 ? 0 : H[i, j] == H[i-1, j-1] + score(q[i], d[j]) ? PAIR
			: H[i, j] == E[i, j] ? IN_E : IN_F)
		          | (E[i, j] == E[i, j-1] - extend ? E_GOES_ON : 0)
		          | (F[i, j] == F[i-1, j] - extend ? F_GOES_ON : 0)
		using ◇ = max boundary (LOW, LOW, 0, 0);
	reduce best, row, column = argmax[i, j](H[i, j]);
}

// The scores of one protein against many, row k of d holding length[k] letters.
kernel search(q: u8[m], d: u8[count, longest], length: i32[count], open: i32, extend: i32,
              out best: i32[count])
{
	let E: i32[count, m, longest];
	let F: i32[count, m, longest];
	let H: i32[count, m, longest];

	tables: wavefront
		E[k, i, j] = E[k, i, j-1] - extend ◇ H[k, i, j-1] - open,
		F[k, i, j] = F[k, i-1, j] - extend ◇ H[k, i-1, j] - open,
		H[k, i, j] = H[k, i-1, j-1] + score(q[i], d[k, j]) ◇ E[k, i, j] ◇ F[k, i, j] ◇ 0
		using ◇ = max boundary (LOW, LOW, 0)
			for k in 0..count, i in 0..m, j in 0..length[k];
	reduce best[k] = max(max[i in 0..m, j in 0..length[k]](H[k, i, j]), 0);
}
