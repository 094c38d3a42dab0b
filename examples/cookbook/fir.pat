// fir.pat - a filter with a finite impulse response, on several channels (signal processing).
// Patterns: stencil with a window.
kernel fir(x: f32[channels, n], h: f32[taps], out y: f32[channels, n]) {
	stencil y[c, i] = sum[k in 0..taps](h[k] * x[c, i-k]) boundary (0);
}

test known {
	fir(x = [[1, 0, 0, 2]], h = [3, 4, 5]) -> y = [[3, 4, 5, 6]];
	fir(x = [[1, 2, 3]], taps = 0) -> y = 0;
}
