// Searches of arrays of more than 4096 cells by cells that are not much fewer: a block of a GPU looks at one segment.

kernel places(x: u32[4200], v: u32[n], inout first: i64[n], inout end: i64[n]) {
	require n >= 525;
	map first[i] = search(x, v[i]), end[i] = search(x, v[i], upper);
}
kernel not_numbers(x: f32[4200], v: f32[700], inout y: i32[700], inout z: i32[700]) {
	map y[i] = i32(search(x, v[i] > 0 ? v[i] : 1e38 * v[i] * 1e38 - 1e38 * v[i] * 1e38)),
		z[i] = i32(search(x, v[i] > 0 ? v[i] : 1e38 * v[i] * 1e38 - 1e38 * v[i] * 1e38, upper));
}
kernel wide(x: f64[2100], v: f32[900], inout y: i64[900]) {
	map y[i] = search(x, 2 * v[i] + 1, upper) - search(x, 2 * v[i] + 1) where i % 3 > 0;
}
kernel narrow(x: i8[4300], v: i16[2300], inout y: i64[2300]) {
	map y[i] += search(x, v[i]) for i in 5..2300;
}
kernel picked(x: i32[4200], v: i32[1100], w: f32[m], inout y: f32[1100]) {
	gather y[i] = w[search(x, v[i]) % 7] drop;
}
// one of two arrays; what is looked for changes, depends on a condition, and is no cell's own
kernel several(a: i32[4200], b: i32[5000], v: i32[800], k: i32, inout y: i64[800], inout z: i64[800], inout u: i32[800]) {
	map y[i] = search(a, v[i]) + search(b, v[i]) + search(a, k) + search(a, v[i] + 1);
	gather z[i] = i > 0 ? search(a, v[i-1]) : -1;
	map u[i] = u[i] + 1, z[i] = search(a, u[i]);
}
kernel constant(v: u8[5000], inout y: i64[5000], s: u8[5000]) {
	map y[i] = search(s, u8(200)) + search(s, v[i], upper);
}
