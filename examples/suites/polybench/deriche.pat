// Deriche's edge detector: recurrences from both sides along the rows, then along the columns
kernel deriche(alpha: f32, imgIn: f32[w, h], out imgOut: f32[w, h]) {
	let y1: f32[w, h];
	let y2: f32[w, h];
	let row: f32[w, h];
	let k: f32 = (1 - exp(-alpha)) * (1 - exp(-alpha))
		/ (1 + 2 * alpha * exp(-alpha) - exp(2 * alpha));
	let a2: f32 = k * exp(-alpha) * (alpha - 1);
	let a3: f32 = k * exp(-alpha) * (alpha + 1);
	let a4: f32 = -k * exp(-2 * alpha);
	let b1: f32 = exp2(-alpha);
	let b2: f32 = -exp(-2 * alpha);

	scan y1[i, j] = k * imgIn[i, j] + a2 * (j > 0 ? imgIn[i, j-1] : 0) + b1 * y1[i, j-1]
		+ b2 * y1[i, j-2];
	scan y2[i, j] = a3 * (j < h - 1 ? imgIn[i, j+1] : 0) + a4 * (j < h - 2 ? imgIn[i, j+2] : 0)
	              + b1 * y2[i, j+1] + b2 * y2[i, j+2];
	map row[i, j] = y1[i, j] + y2[i, j];
	scan y1[i, j] = k * row[i, j] + a2 * (i > 0 ? row[i-1, j] : 0) + b1 * y1[i-1, j]
		+ b2 * y1[i-2, j];
	scan y2[i, j] = a3 * (i < w - 1 ? row[i+1, j] : 0) + a4 * (i < w - 2 ? row[i+2, j] : 0)
	              + b1 * y2[i+1, j] + b2 * y2[i+2, j];
	map imgOut[i, j] = y1[i, j] + y2[i, j];
}
