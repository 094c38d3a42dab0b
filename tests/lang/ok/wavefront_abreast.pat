// wavefronts whose rows a CPU computes together, 128 at a time: bands that are full, too short, too long by one;
// neighbours in all directions, of all types; tiles side by side; what is folded or kept of tables without memory
kernel band_short(p: i32[127, 9], out a: i32[127, 9]) {
	wavefront a[i, j] = p[i, j] ^ max(a[i-1, j], a[i, j-1] - a[i-1, j-1]) boundary 5;
}
kernel band_full(p: i32[128, 33], out a: i32[128, 33]) {
	wavefront a[i, j] = p[i, j] ^ max(a[i-1, j], a[i, j-1] - a[i-1, j-1]) boundary (i32(i + 2 * j));
}
kernel band_long(p: i64[129, 31], out a: i64[129, 31]) {
	wavefront a[i, j] = p[i, j] ^ max(a[i+1, j], a[i, j-1] - a[i+1, j-1]) boundary 7 from below;
}
kernel band_low(p: u8[1, 700], out a: u8[1, 700]) {
	wavefront a[i, j] = p[i, j] ^ u8(a[i-1, j] + a[i, j-1]) ^ a[i-1, j-1] boundary 3;
}
kernel band_narrow(p: i16[700, 1], out a: i16[700, 1]) {
	wavefront a[i, j] = p[i, j] ^ a[i-1, j] ^ (a[i, j+1] & a[i-1, j+1]) boundary 3 from right;
}
kernel band_tiles(p: i32[137, 1103], out a: i32[137, 1103], out s: i32) {
	wavefront a[i, j] = (p[i, j] & 255) + max(a[i-1, j] - 3, a[i, j-1] - 2, a[i-1, j-1]) boundary 0;
	reduce s = sum[i, j](a[i, j]);
}
kernel band_any(p: f32[m, n], q: f32[m], d: f32[n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] / 4 + max(min(a[i-1, j], q[i]), min(a[i, j-1], d[j])) - abs(a[i-1, j-1]) / 2
		boundary (i >= 0 ? q[i] : j >= 0 ? d[j] : 0.5);
}
kernel band_halves(p: f16[m, n], out a: f16[m, n]) {
	wavefront a[i, j] = max(p[i, j], min(a[i-1, j], a[i, j-1])) boundary 1;
}
kernel band_right(p: f64[m, n], out a: f64[m, n]) {
	wavefront a[i, j] = p[i, j] + max(a[i-1, j+1], a[i, j-1], a[i-2, j-3]) / 2 boundary -1;
}
kernel band_steep(p: i32[131, 60], out a: i32[131, 60]) {
	wavefront a[i, j] = p[i, j] ^ (a[i-1, j+2] + a[i, j-1]) boundary 9;
}
kernel band_deep(p: i32[260, 20], out a: i32[260, 20]) {
	wavefront a[i, j] = p[i, j] ^ (a[i+2, j+1] + a[i+3, j-1]) boundary 9 from right from below;
}
kernel band_old(inout a: f64[m, n]) {
	wavefront a[i, j] = (a[i, j-1] + a[i-1, j] + a[i, j] + a[i+1, j] + a[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}
kernel band_beside(p: i32[m, n], inout a: i32[m, n]) {
	wavefront a[i, j] = p[i, j] ^ (a[i-1, j-1] + a[i, j-1]) - a[i+1, j] boundary 4 for i in 1..m, j in 2..n;
}
kernel band_guarded(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = (i > 0 ? p[i-1, j] : j > 0 ? p[i, j-1] : 3) ^ max(a[i-1, j], a[i, j-1]) boundary 4;
}
kernel band_tables(p: i32[150, 600], out way: u8[150, 600], out best: i32, out row: i64, out column: i64) {
	let E: i64[150, 600];
	let H: i32[150, 600];
	wavefront E[i, j] = max(E[i, j-1] - 2, i64(H[i, j-1]) - 7),
		H[i, j] = max(max(H[i-1, j-1] + (p[i, j] & 15) - 7, H[i-1, j] - 3), max(i32(E[i, j]), 0)),
		way[i, j] = (H[i, j] == 0 ? 0 : 1) | (i64(H[i, j]) == E[i, j] ? 2 : 0) boundary (-1000, 0, 0);
	reduce best, row, column = argmax[i, j](H[i, j]);
}
kernel band_kept(p: i32[300, 600], out most: i32, out least: i32, out at: i64, out column: i64, out corner: i32) {
	let H: i32[300, 600];
	let G: i32[300, 600];
	wavefront H[i, j] = p[i, j] ^ max(H[i-1, j-1] + G[i, j-1], H[i-2, j]),
		G[i, j] = H[i, j] - G[i-1, j-4] boundary 1;
	reduce most = max[i, j](H[i, j]);
	reduce least, at, column = argmin[i, j](G[i, j] & 4095);
	map corner = G[299, 599];
}
kernel band_many(p: i32[70, 140, 11], len: u8[70], out best: i32[70], out score: i32[70]) {
	let H: i32[70, 140, 11];
	wavefront H[k, i, j] = max(max(H[k, i-1, j-1] + (p[k, i, j] & 15) - 7, H[k, i-1, j] - 3), max(H[k, i, j-1] - 2, 0)) boundary 0
		for k in 0..70, i in 0..140, j in 0..len[k];
	reduce best[k] = max(max[i in 0..140, j in 0..len[k]](H[k, i, j]), 0);
	map score[k] = best[k] * 2;
}
kernel band_few(p: i32[3, 140, 600], out a: i32[3, 140, 600]) {
	wavefront a[k, i, j] = p[k, i, j] ^ (a[k, i-1, j] + a[k, i, j-1]) boundary (i32(i - j + k));
}
kernel band_turns(p: i32[4, 133, 20], out a: i32[4, 133, 20]) {
	wavefront a[h, i, j] = p[h, i, j] ^ (a[h-1, i, j] + a[h-1, i-1, j+1]) - (a[h, i-1, j] ^ a[h, i, j-1]) boundary 2;
}
kernel band_score(q: u8[m], d: u8[n], open: i32, out best: i32) {
	let H: i32[m, n];
	wavefront H[i, j] = max(H[i, j-1] - open, H[i-1, j] - open, H[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0) boundary 0;
	reduce best = max[i, j](H[i, j]);
}
