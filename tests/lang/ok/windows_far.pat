// Windows whose ranges and places are far from zero, so that sums of them wrap, or empty by far.
kernel unsigned(a: f32[n], h: u32, s: u8, out b: f32[n]) {
	require h < 9;
	stencil b[i] = max[k in h-3..s where k != 1](a[i + k - h]) boundary clamp;
}
kernel wrapped(a: f32[n], s: i64, t: i64, out b: f32[n]) {
	require s == i64.max, t == i64.min;
	stencil b[i] = sum[k in s..t where k % 3 != 7](a[i + k + 1]) boundary clamp;
}
kernel empty(a: f32[n, m], s: i64, t: i64, out b: i64[n, m], out c: f32[n, m]) {
	require t == 0, s >= 1099511627776 - 3, s <= 1099511627776;
	stencil b[i, j] = count[k in s..t, l in -1..t where l != k](a[i, j + l] > a[i+1, j]) boundary wrap;
	stencil c[i, j] = sum[k in s-1095216660480..t where k % 3 != 7](a[i + k, j]) boundary clamp;
}
kernel shifted(a: f32[n], s: i64, h: i64, out b: f32[n]) {
	require h >= i64.max - 2, s >= 0, s < 6;
	stencil b[i] = sum[k in 0..s where k % 3 != 7](a[i + k + h]) boundary clamp;
}
kernel least(a: f32[n], s: i64, t: i64, out b: f32[n]) {
	require s == i64.min, t == i64.min + 1;
	stencil b[i] = sum[k in s..t where k % 3 != 7](a[i + k]) boundary clamp;
}
// A range that floats give: the host and a GPU may round it differently.
kernel rounded(a: f32[n], s: f32, out b: f32[n]) {
	require s >= 0, s < 9;
	stencil b[i] = max[k in 0..i64(3 * s + 0.25)+1 where k != 99](a[i + k]) boundary clamp;
}
