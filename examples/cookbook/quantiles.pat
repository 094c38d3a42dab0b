// quantiles.pat - the median and two more quantiles of an array, without sorting it (statistics).
// Patterns: reduce with kth.
kernel quantiles(x: f32[n], out low: f32, out median: f32, out high: f32) {
	require n >= 1;
	reduce low = kth[i](x[i], n / 4);
	reduce median = kth[i](x[i], n / 2);
	reduce high = kth[i](x[i], n - 1 - n / 4);
}

test known {
	quantiles(x = [5, 1, 4, 2, 3, 0, 7, 6]) -> low = 2, median = 4, high = 5;
	quantiles(x = [3]) -> low = 3, median = 3, high = 3;
}
