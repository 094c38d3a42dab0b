// separable_births.pat - separable wavefronts whose cells are folded where they are born, stored or not.
kernel total(p: f32[m, n], w: f32[n], out s: f32, out top: f32, out i0: i64, out j0: i64) {
	let A: f32[m, n];
	wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i, j-1] - A[i-1, j-1] boundary 0;
	reduce s = sum[i, j](A[i, j] * w[j]);
	reduce top, i0, j0 = argmax[i, j](A[i, j]);
}
kernel each(p: i32[b, m, n], out A: i64[b, m, n], out best: i64[b], out low: i64) {
	wavefront A[q, i, j] = i64(p[q, i, j]) + A[q, i+1, j] + A[q, i, j+1] - A[q, i+1, j+1] boundary 0 from right from below;
	reduce best[q] = max[i, j](A[q, i, j]);
	reduce low = min[q, i, j](A[q, i, j]);
}
kernel last(p: f64[m, n], out row: f64[n], out s: f64) {
	let A: f64[m, n];
	wavefront A[i, j] = p[i, j] + 0.5 * A[i-1, j] + 0.25 * A[i, j-1] - 0.125 * A[i-1, j-1] boundary 0;
	reduce s = sum[i, j](A[i, j]);
	map row[j] = m > 0 ? A[m - 1, j] : 0;
}
kernel largest(p: i16[m, n], out s: i16) {
	let A: i16[m, n];
	wavefront A[i, j] = max(p[i, j], A[i-1, j], A[i, j-1]) boundary -7;
	reduce s = min[i, j](A[i, j]);
}
