// attention.pat - what comes next in a text: each place looks back at the letters that followed
// places which end alike (an induction head, Olsson and others 2022).

const WIDTH: i64 = 64;        // cells of a query and of a key
const LETTERS: i64 = 64;      // of the alphabet

// Of later places the score is so low that the weight is 0. On a GPU with matrix units all of it is
// one kernel: scores and weights have no memory.
kernel attend(q: bf16[heads, n, WIDTH], k: bf16[heads, n, WIDTH], v: bf16[n, LETTERS],
              sharpness: f32,
              out o: f32[heads, n, LETTERS])
{
	let score: f32[heads, n, n];
	let top: f32[heads, n];
	let total: f32[heads, n];
	let weight: bf16[heads, n, n];

	matmul score[h, i, j] = j <= i ? f32(sum[c](q[h, i, c] * k[h, j, c])) * sharpness : -1e30;
	reduce top[h, i] = max[j](score[h, i, j]);
	reduce total[h, i] = sum[j](exp(score[h, i, j] - top[h, i]));
	map weight[h, i, j] = bf16(exp(score[h, i, j] - top[h, i]) / total[h, i]);
	matmul o[h, i, c] = sum[j](weight[h, i, j] * v[j, c]);
}

// The same as three kernels, and the weights for a picture.
kernel scores(q: bf16[heads, n, WIDTH], k: bf16[heads, n, WIDTH], sharpness: f32,
              out score: f32[heads, n, n])
{
	matmul score[h, i, j] = j <= i ? f32(sum[c](q[h, i, c] * k[h, j, c])) * sharpness : -1e30;
}

kernel weigh(score: f32[heads, n, n], out weight: bf16[heads, n, n])
{
	let top: f32[heads, n];
	let total: f32[heads, n];

	reduce top[h, i] = max[j](score[h, i, j]);
	reduce total[h, i] = sum[j](exp(score[h, i, j] - top[h, i]));
	map weight[h, i, j] = bf16(exp(score[h, i, j] - top[h, i]) / total[h, i]);
}

kernel mix(weight: bf16[heads, n, n], v: bf16[n, LETTERS], out o: f32[heads, n, LETTERS])
{
	matmul o[h, i, c] = sum[j](weight[h, i, j] * v[j, c]);
}
