// moving_average.pat - the mean of the last w values of a series (Futhark's examples).
// Patterns: stencil with a window.
kernel moving_average(w: i32, x: f32[n], out mean: f32[n]) {
	require w >= 1;
	stencil mean[i] = sum[k in 0..w](x[i-k]) / f32(w) boundary clamp;
}

test known {
	moving_average(w = 2, x = [2, 4, 6, 8]) -> mean = [2, 3, 5, 7];
	moving_average(w = 1, x = [2, 4, 6, 8]) -> mean = [2, 4, 6, 8];
	moving_average(w = 0, x = [2]) -> status required;
}
