// The best of all pairs: tiles without a number, tiles where no number is better than the worst value, ties.
fn term(a: i32, b: i32, j: i64) -> f32 {
	if j % 300 < 256 && a % 2 == 0 || a % 3 == 0 { return nan; }
	return b % 2 == 0 || a % 5 == 0 ? inf : f32((a ^ b) & 15);
}
kernel nearest(x: i32[1100], y: i32[n+580], out d: f32[1100], out at: i64[1100])
{
	pairs d[i], at[i] = argmin[j](term(x[i], y[j], j));
}
