// Speckle is taken out of an image: diffusion that stops at edges, whose strength the whole image's variance sets
fn limited(c: f32) -> f32 = clamp(c, 0, 1);
fn coefficient(j: f32, n: f32, s: f32, w: f32, e: f32, q0: f32) -> f32 {
	let g2 = (n * n + s * s + w * w + e * e) / (j * j);
	let l = (n + s + w + e) / j;
	let num = 0.5 * g2 - 0.0625 * l * l;
	let den = 1 + 0.25 * l;
	let q = num / (den * den);
	return limited(1 / (1 + (q - q0) / (q0 * (1 + q0))));
}

kernel srad(iterations: i64, lambda: f32, inout J: f32[rows, cols]) {
	let c: f32[rows, cols];
	let next: f32[rows, cols];
	let total: f64;
	let squares: f64;
	let mean: f64;
	let q0: f32;
	repeat t < iterations {
		reduce total = sum[i, j](f64(J[i, j])),
			squares = sum[i, j](f64(J[i, j]) * f64(J[i, j]));
		map mean = total / f64(rows * cols);
		map q0 = f32((squares / f64(rows * cols) - mean * mean) / (mean * mean));
		stencil c[i, j] = coefficient(J[i, j], J[i-1, j] - J[i, j], J[i+1, j] - J[i, j],
			J[i, j-1] - J[i, j],
			J[i, j+1] - J[i, j], q0) boundary clamp;
		stencil next[i, j] = J[i, j]
			+ 0.25 * lambda * (c[i, j] * (J[i-1, j] - J[i, j])
			+ c[i+1, j] * (J[i+1, j] - J[i, j])
			+ c[i, j] * (J[i, j-1] - J[i, j]) + c[i, j+1] * (J[i, j+1] - J[i, j]))
				boundary clamp;
		swap J, next;
	}
}
