// The best of all pairs: terms that are no numbers, or as bad as the identity, ties, cells that have
// no best; several bests of a cell, masks, two indices, small types.
fn odd(a: i32, b: i32) -> f32 {
	let s = (a ^ b) & 63;
	if (s & 3) == 0 || a % 16 == 0 { return nan; }
	if (s & 1) == (a & 1) { return inf; }
	return s & 15;
}
kernel strange_nearest(x: i32[n], y: i32[m], out d: f32[n], out at: i64[n]) {
	pairs d[i], at[i] = argmin[j](odd(x[i], y[j]));
}
kernel never_finite(x: i32[n], y: i32[m], out d: f32[n], out at: i64[n], out last: i64[n]) {
	pairs d[i], at[i] = argmin[j]((x[i] ^ y[j]) % 30 == 0 ? inf : f32(nan)),
	      last[i] = argmax[j](x[i] % 2 == y[j] % 2 ? -inf : f32(nan));
}
kernel two_bests(x: i32[n], y: i32[m], out low: i32[n], out at: i64[n], out high: i64[n],
                 out s: i32[n]) {
	pairs low[i], at[i] = argmin[j]((x[i] ^ y[j]) | (x[i] % 3 == 0 ? 0x7fffffffi32 : 0)),
	      high[i] = argmax[j where y[j] % 4 != x[i] % 4](i64(x[i] ^ y[j]) & 7),
	      s[i] = sum[j](x[i] & y[j]);
}
kernel best_of_grid(x: i32[n], z: u8[s, t], out d: u8[n], out a: i64[n], out b: i64[n]) {
	pairs d[i], a[i], b[i] = argmax[j in 1..s, k](z[j, k] ^ u8(x[i] & 15));
}
kernel best_after(x: i32[n], y: f16[m], out d: f16[n], out at: i64[n]) {
	pairs d[i], at[i] = argmax[j in 3..m](y[j] + f16(x[i] & 3));
}
test of_bests {
	strange_nearest(x = [1, 2, 16, 4], y = [1, 2, 0, 3]) -> d = [2, 1, inf, 5],
		at = [3, 3, -1, 0];
}
