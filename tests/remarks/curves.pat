// patc --target=cuda
// Arrays along curves: squares of threads, each with rows that share a column's place.
kernel curves(x: f32[n, n], out m: f32[n, n] layout morton, out h: f32[n, n] layout hilbert, out y: f32[n, n], out s: f32[n]) {
	to: map m[i, j] = x[i, j] + 1;
	from: map y[i, j] = m[i, j] * 2;
	turned: transpose h[j, i] = y[i, j];
	rows: reduce s[i] = sum[j](h[i, j]);
}
