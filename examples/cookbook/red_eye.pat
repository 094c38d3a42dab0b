// red_eye.pat - the pixels whose neighbourhood looks most like a picture of a red eye lose their
// red (CS344, problem 4).  Patterns: stencil with windows, gather, sort, scatter, map.

// How alike an eye and a window are, from sums over the window: 1 is the same but for the light.
fn alike(product: f32, sum: f32, squares: f32, cells: f32, eye: f32) -> f32 {
	let spread = (squares - sum * sum / cells) * eye;
	return spread > 0 ? product * rsqrt(spread) : 0;
}

// image: red, green, blue.  eye: its mean is 0 in each colour, and the sum of its squares is
// power.  The red of `marked` pixels becomes the mean of green and blue.
kernel red_eye(size pixels: i64, marked: i64, eye: f32[3, 2*r+1, 2*r+1], power: f32[3],
               inout image: f32[3, h, w]) {
	require pixels == h * w, 0 <= marked && marked <= pixels, r < 16;
	let score: f32[3, h, w];
	let product: f32[pixels];
	let at: i64[pixels];
	let red: bool[h, w];
	stencil score[c, y, x] = alike(
			sum[p in 0..2*r+1, q in 0..2*r+1](eye[c, p, q]
				* image[c, y + p - r, x + q - r]),
			sum[p in 0..2*r+1, q in 0..2*r+1](image[c, y + p - r, x + q - r]),
			sum[p in 0..2*r+1, q in 0..2*r+1](image[c, y + p - r, x + q - r]
				* image[c, y + p - r, x + q - r]),
			f32((2 * r + 1) * (2 * r + 1)), power[c]) boundary clamp;
	gather product[i] = score[0, i / w, i % w] * score[1, i / w, i % w]
		* score[2, i / w, i % w];
	sort product by > stable first marked into at;
	scatter red[at[k] / w, at[k] % w] |= true for k in 0..marked;
	map image[0, y, x] = 0.5 * (image[1, y, x] + image[2, y, x]) where red[y, x];
}

test known {
	// the template of a spot, and three spots, one of which is red, green and blue
	red_eye(marked = 1, pixels = 21, r = 1, power = 72,
	        eye = [[[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]],
	               [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]],
	               [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]]],
	        image = [[[0, 9, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 9, 0, 0]],
	                 [[0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]],
	                 [[0, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0]]])
		-> image = [[[0, 2, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 9, 0, 0]],
		            [[0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]],
		            [[0, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0]]];
}
