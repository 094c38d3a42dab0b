// batch.pat - the best scores of one sequence against many short ones: gaps of one price, affine
// ones, scores of proteins, sequences of different lengths; and the same without two cells a word.
const LOW: i32 = -1000000;
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
fn score(a: u8, b: u8) -> i32 = BLOSUM62[min(a, 23), min(b, 23)];

kernel short_linear(q: u8[m], d: u8[l, n], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] =
		max(H[k, i, j-1] - 2, H[k, i-1, j] - 2,
			H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_affine(q: u8[m], d: u8[l, n], out best: i32[l])
{
	let E: i32[l, m, n];
	let F: i32[l, m, n];
	let H: i32[l, m, n];
	all: wavefront E[k, i, j] = max(E[k, i, j-1] - 1, H[k, i, j-1] - 4),
		F[k, i, j] = max(F[k, i-1, j] - 1, H[k, i-1, j] - 4),
		H[k, i, j] = max(H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -2), E[k, i, j],
			F[k, i, j], 0) boundary (LOW, LOW, 0);
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_protein(q: u8[m], d: u8[l, n], open: i32, extend: i32, out best: i32[l])
{
	let E: i32[l, m, n];
	let F: i32[l, m, n];
	let H: i32[l, m, n];
	all: wavefront E[k, i, j] = max(E[k, i, j-1] - extend, H[k, i, j-1] - open),
		F[k, i, j] = max(F[k, i-1, j] - extend, H[k, i-1, j] - open),
		H[k, i, j] = max(H[k, i-1, j-1] + score(q[i], d[k, j]), E[k, i, j], F[k, i, j], 0)
			boundary (LOW, LOW, 0);
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_ragged(q: u8[m], d: u8[l, n], length: i32[l], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] =
		max(H[k, i, j-1] - 2, H[k, i-1, j] - 2,
			H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0
		for k in 0..l, i in 0..m, j in 0..length[k];
	reduce best[k] = max(max[i in 0..m, j in 0..length[k]](H[k, i, j]), 0);
}

kernel short_linear_wide(q: u8[m], d: u8[l, n], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] =
		max(H[k, i, j-1] - 2, H[k, i-1, j] - 2,
			H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_affine_wide(q: u8[m], d: u8[l, n], out best: i32[l])
{
	let E: i32[l, m, n];
	let F: i32[l, m, n];
	let H: i32[l, m, n];
	all: wavefront E[k, i, j] = max(E[k, i, j-1] - 1, H[k, i, j-1] - 4),
		F[k, i, j] = max(F[k, i-1, j] - 1, H[k, i-1, j] - 4),
		H[k, i, j] = max(H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -2), E[k, i, j],
			F[k, i, j], 0) boundary (LOW, LOW, 0);
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_protein_wide(q: u8[m], d: u8[l, n], open: i32, extend: i32, out best: i32[l])
{
	let E: i32[l, m, n];
	let F: i32[l, m, n];
	let H: i32[l, m, n];
	all: wavefront E[k, i, j] = max(E[k, i, j-1] - extend, H[k, i, j-1] - open),
		F[k, i, j] = max(F[k, i-1, j] - extend, H[k, i-1, j] - open),
		H[k, i, j] = max(H[k, i-1, j-1] + score(q[i], d[k, j]), E[k, i, j], F[k, i, j], 0)
			boundary (LOW, LOW, 0);
	reduce best[k] = max[i, j](H[k, i, j]);
}

kernel short_ragged_wide(q: u8[m], d: u8[l, n], length: i32[l], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] =
		max(H[k, i, j-1] - 2, H[k, i-1, j] - 2,
			H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1), 0) boundary 0
		for k in 0..l, i in 0..m, j in 0..length[k];
	reduce best[k] = max(max[i in 0..m, j in 0..length[k]](H[k, i, j]), 0);
}

schedule short_linear_wide for cuda { all: no pack; }
schedule short_affine_wide for cuda { all: no pack; }
schedule short_protein_wide for cuda { all: no pack; }
schedule short_ragged_wide for cuda { all: no pack; }
