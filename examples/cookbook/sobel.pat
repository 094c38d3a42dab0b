// sobel.pat - how steep the light of an image is at each pixel (Sobel's edges).
// Patterns: stencil.
fn length(x: i32, y: i32) -> f32 = sqrt(f32(x * x + y * y));

kernel sobel(a: u8[h, w], out edge: f32[h, w]) {
	stencil edge[y, x] = length(
			a[y-1, x+1] + 2 * a[y, x+1] + a[y+1, x+1]
				- a[y-1, x-1] - 2 * a[y, x-1] - a[y+1, x-1],
			a[y+1, x-1] + 2 * a[y+1, x] + a[y+1, x+1]
				- a[y-1, x-1] - 2 * a[y-1, x] - a[y-1, x+1]) boundary clamp;
}

test known {
	sobel(a = [[0, 0, 9], [0, 0, 9], [0, 0, 9]]) -> edge =
		[[0, 36, 36], [0, 36, 36], [0, 36, 36]];
	sobel(h = 5, w = 4, a = 7) -> edge = 0;
}
