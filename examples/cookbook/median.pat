// median.pat - the median of nine neighbours, which takes out single wrong pixels (Halide's tests).
// Patterns: stencil with a function on an array.
fn median9(v: f32[9]) -> f32 {
	var s = v;
	for i in 0..5 {
		for j in 0..8 - i {
			let low = min(s[j], s[j+1]);
			s[j+1] = max(s[j], s[j+1]);
			s[j] = low;
		}
	}
	return s[4];
}

kernel median(a: f32[h, w], out b: f32[h, w]) {
	stencil b[y, x] = median9([
			a[y-1, x-1], a[y-1, x], a[y-1, x+1], a[y, x-1], a[y, x], a[y, x+1],
			a[y+1, x-1], a[y+1, x], a[y+1, x+1]]) boundary clamp;
}

test known {
	median(a = [[1, 1, 1], [1, 9, 1], [1, 1, 1]]) -> b = 1;
	median(a = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]) -> b = [[2, 3, 3], [4, 5, 6], [7, 7, 8]];
}
