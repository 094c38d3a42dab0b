// quantised.pat - a matrix of weights of 4 bits times a row, as in each step of a decoder, here of
// a memory: the row is a picture of pixels that are 1 or -1, and what the matrix makes of one with
// many wrong pixels is the picture that it has stored (Hopfield 1982).

// Weight e of the eight in a word, from -8 to 7: its sign bit is shifted to the top, and all of it
// back down.
fn level(word: u32, e: i64) -> i32 = i32(word << u32(28 - 4 * e)) >> 28;

// A group is four words, whose 32 weights have one scale. They belong to cells of the row that are
// `groups` apart, so that neighbouring lanes of a GPU, a group each, read neighbouring words and
// neighbouring cells.
kernel product(weight: u32[n, 4, groups], scale: f16[n, groups], x: f32[4, 8, groups],
               out y: f32[n])
{
	reduce y[i] = sum[g](scale[i, g] * sum[k, e](level(weight[i, k, g], e) * x[k, e, g]));
}

// The same before weights were rounded.
kernel product_f32(weight: f32[n, m], x: f32[m], out y: f32[n])
{
	reduce y[i] = sum[j](weight[i, j] * x[j]);
}

// What a product says of each pixel becomes a pixel, for the next product.
kernel decide(y: f32[n], out x: f32[n])
{
	map x[i] = y[i] < 0 ? -1 : 1;
}

test a_group {
	// group 0 begins with 1 and -8, group 1 ends with -1
	product(weight = [[[0x81, 0], [0, 0], [0, 0], [0, 0xf0000000]]], scale = [[2, 0.5]], x = 1)
		-> y = [-14.5];
	product_f32(weight = [[1, -8], [0.5, 2]], x = [1, -1]) -> y = [9, -1.5];
	decide(y = [-0.5, 0, 3]) -> x = [-1, 1, 1];
}
