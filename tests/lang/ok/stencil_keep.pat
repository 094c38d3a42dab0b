// Windows under `boundary keep`: by parameters, empty ones, factors that are negative or huge; ranges of windows that
// depend on one another, under other boundaries.
kernel radius(x: i32[n], r: i64, inout y: i32[n]) {
	require r >= -2, r < 9;
	stencil y[i] = sum[p in -r..r+1](x[i + p]) boundary keep;
}
kernel two(x: f32[n, m], r: i32, s: i64, inout y: f32[n, m]) {
	require r >= -1, r < 5, s >= -1, s < 7;
	stencil y[i, j] = max[p in -r..r+1, q in 0..s](x[i + p, j + q]) + x[i, j + 1] boundary (keep, clamp);
}
kernel several(x: i64[n], r: i64, s: i16, inout y: i64[n]) {
	require r >= 0, r < 4, s >= 0, s < 40;
	stencil y[i] = sum[p in 0..r](sum[q in 0..s where q % 2 == 0](x[i + p - q]) + x[i - 1]) - x[i + 1] boundary keep;
}
kernel masked(x: i32[n], k: u8[n], r: i64, inout y: i32[n]) {
	require r >= -1, r < 4;
	stencil y[i] = x[2*i - 3] + 1 where k[i] > 3 && sum[p in 0..r](i32(k[i - p])) > 100 boundary keep;
}
kernel turned(x: i32[n], inout y: i32[n]) { stencil y[i] = x[i] + x[6 - i] boundary keep; }
kernel thinned(x: f64[m], inout y: f64[n]) { stencil y[i] = sum[p in 0..3](x[9 - 2*i + p]) boundary keep; }
kernel far(x: i32[n], inout y: i32[n]) {
	stencil y[i] = x[i] + x[i + 4611686018427387904] boundary keep;
}
kernel by_far(x: i32[n], inout y: i32[n]) { stencil y[i] = x[i] + x[70000 * i] boundary keep; }
kernel folded_far(x: i32[n], r: i64, inout y: i32[n]) {
	require r >= 0, r < 3;
	stencil y[i] = x[i] + sum[p in 0..r](x[9223372036854775807 * p + i]) boundary keep;
}
kernel triangle(x: f32[n, m], r: i64, out y: f32[n, m]) {
	require r >= -1, r < 6;
	stencil y[i, j] = sum[p in 0..r, q in -p..p+1](x[i + p, j + q]) boundary mirror;
}
kernel long_triangle(x: i32[n], out y: i32[n]) {
	stencil y[i] = sum[p in 0..90](sum[q in 0..p+1](x[i + q - p])) boundary clamp;
}
kernel rising(x: f64[n], r: i64, out y: f64[n]) {
	require r >= 0, r <= 4;
	stencil y[i] = min[p in 0..r](sum[q in p..p+3](x[i + q] * f64(p))) boundary clamp;
}
kernel least(x: f32[n], r: i64, out y: f32[n]) {
	require r >= 0, r < 6;
	stencil y[i] = sum[p in 0..r](sum[q in min(p, 2)..p+1](x[i + q - p])) boundary wrap;
}
test kept {
	radius(x = [1, 2, 3, 4], r = 1, y = [9, 9, 9, 9]) -> y = [9, 6, 9, 9];
	radius(x = [1, 2, 3, 4], r = -1, y = [9, 9, 9, 9]) -> y = [0, 0, 0, 0];
	turned(x = [1, 2, 3, 4, 5], y = [9, 9, 9, 9, 9]) -> y = [9, 9, 8, 8, 8];
	far(x = [1, 2], y = [7, 8]) -> y = [7, 8];
	by_far(x = [1, 2], y = [7, 8]) -> y = [2, 8];
	thinned(x = [1, 2, 3, 4], y = [7, 7, 7, 7, 7, 7]) -> y = [7, 7, 7, 7, 9, 7];
}
