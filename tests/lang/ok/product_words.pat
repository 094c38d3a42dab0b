// product_words.pat - operands of 1 and 2 bytes and bools, which tiles hold as words; folds of bools.
fn score(a: u8, b: i16) -> i32 = a == b ? 3 : -1;
op parity(a: bool, b: bool) -> bool = a != b identity false, associative, commutative;
op high(a: u8, b: u8) -> u8 = a > b ? a : b identity 0, associative, commutative;
fn close(a: f16, b: bf16) -> bool = abs(a - f32(b)) < 1;
kernel flags(a: bool[n, l], b: bool[l, m], c: bool[m, l], inout r: bool[n, m], out s: bool[n, m], out t: i64[n, m]) {
	matmul r[i, j] = r[i, j] || any[k](a[i, k] && b[k, j]);
	matmul s[i, j] = all[k](a[i, k] || !c[j, k]) where i != j;
	matmul t[i, j] = count[k](a[i, k] && !b[k, j]);
}
kernel shorts(q: u8[65, l], d: i16[17, l], h: f16[65, l], v: bf16[l, 17], out x: i32[65, 17], out z: bool[65, 17], out c: bool[65, 65]) {
	matmul x[i, j] = max[k](score(q[i, k], d[j, k]));
	matmul z[i, j] = any[k](close(h[i, k], v[k, j]));
	matmul c[i, j] = parity[k](q[i, k] < 9 && q[j, k] > 3);
}
kernel many(u: bool[s, 8, 5], v: bool[s, 5, 16], out w: bool[s, 8, 16], q: u8[s, 8, 5], d: u8[s, 5, 16], out y: u8[s, 8, 16]) {
	matmul w[r, i, j] = any[k](u[r, i, k] && v[r, k, j]);
	matmul y[r, i, j] = high[k](min(q[r, i, k], d[r, k, j]));
}
