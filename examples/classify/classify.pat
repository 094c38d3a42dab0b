// classify.pat - what the tiles of a photograph show, by a small convolutional network: two layers
// of windows, a mean of each tile, and a layer of weights that are learned.

fn relu(x: f32) -> f32 = max(x, 0);

// Channels stand last, pictures first. The first layer sees 3 x 3 pixels; the second 3 x 3 cells of
// the first, around every other one of each axis. A feature of a tile of 16 x 16 pixels is the mean
// of a channel; of that the root, so that faint edges count beside strong ones.
kernel look(photo: u8[n, 16*h, 16*w, 3], first: f32[a, 3, 3, 3], first_bias: f32[a],
            second: f32[b, 3, 3, a], second_bias: f32[b],
            out one: f32[n, 16*h, 16*w, a], out two: f32[n, 8*h, 8*w, b],
            out feature: f32[n, h, w, b])
{
	let x: f32[n, 16*h, 16*w, 3];

	map x[t, i, j, c] = f32(photo[t, i, j, c]) / 255;
	stencil one[t, i, j, o] = relu(
		sum[r, s, c](x[t, i+r-1, j+s-1, c] * first[o, r, s, c]) + first_bias[o])
		boundary clamp;
	stencil two[t, i, j, o] = relu(
		sum[r, s, c](one[t, 2*i+r-1, 2*j+s-1, c] * second[o, r, s, c]) + second_bias[o])
		boundary clamp;
	stencil feature[t, i, j, o] = sqrt(
		sum[r in 0..8, s in 0..8](two[t, 8*i+r, 8*j+s, o]) / 64);
}

// How likely each class is for each tile (softmax), and the likeliest.
kernel judge(feature: f32[n, b], weight: f32[k, b], out chance: f32[n, k], out class: i32[n])
{
	let score: f32[n, k];
	let top: f32[n];
	let total: f32[n];
	let at: i64[n];

	matmul score[i, o] = sum[c](feature[i, c] * weight[o, c]);
	reduce top[i], at[i] = argmax[o](score[i, o]);
	reduce total[i] = sum[o](exp(score[i, o] - top[i]));
	map chance[i, o] = exp(score[i, o] - top[i]) / total[i];
	map class[i] = i32(at[i]);
}

// Steps down the gradient of the mean of -log(chance) of the class that each tile is known to have;
// each keeps most of the pace of the one before.
kernel learn(feature: f32[n, b], known: i32[n], steps: i32, rate: f32, inout weight: f32[k, b])
{
	let chance: f32[n, k];
	let class: i32[n];
	let miss: f32[n, k];
	let pace: f32[k, b];

	map pace[o, c] = 0;
	repeat step < steps {
		judge(feature, weight, chance, class);
		map miss[i, o] = chance[i, o] - (known[i] == o ? 1 : 0);
		matmul pace[o, c] = 0.95 * pace[o, c]
		                  - rate / n * sum[i](miss[i, o] * feature[i, c]);
		map weight[o, c] += pace[o, c];
	}
}

test two_classes {
	judge(feature = [[1, 0], [0, 2]], weight = [[0, 1], [0, 0]])
		-> chance = [[0.5, 0.5], [0.880797, 0.119203]], class = [0, 0] within 1e-6;
	learn(feature = [[1, 0], [0, 1]], known = [0, 1], steps = 1, rate = 4, weight = 0, k = 2)
		-> weight = [[1, -1], [-1, 1]];
}
