// The k-th value of sequences: sorted in registers, counted in bins by a block each, or by all blocks in a window that
// a sample guesses; keys of every size, computed ones, ties, places that no sequence has.
struct P { x: f32, id: i32 }
kernel one(bind: u8[n], x: f32[700*n+1], k: i64, out v: f32) { reduce v = kth[i](x[i], k); }
kernel rows(bind: u8[n], x: f64[m, 300*n+3], k: i32, out v: f64[m]) { reduce v[i] = kth[j](abs(x[i, j]), k); }
kernel median(x: i16[n], out v: i32) { reduce v = kth[i](x[i], n / 2); }
kernel of_columns(bind: u8[n], x: u64[20*n+5, m], out v: u64[m]) { reduce v[j] = kth[i](x[i, j], 3); }
kernel fields(bind: u8[n], p: P[m, 90*n+2], y: f32[m], k: i32, inout v: P[m]) { reduce v[i].x = kth[j](p[i, j].x - y[i], k); }
kernel halves(bind: u8[n], x: bf16[500*n+1], k: i32, out v: bf16, out w: i8, b: i8[500*n+1]) {
	reduce v = kth[i](x[i], k);
	reduce w = kth[i](b[i], k);
}
kernel cubes(x: u32[n, m, 7], out v: i64[m, n]) { reduce v[j, i] = kth[l](i64(x[i, j, l]) * 2, 5); }
kernel ties(bind: u8[n], x: f32[n+66000], k: i64, out v: f32) { reduce v = kth[i](x[i] < 0 ? f32(0.5) : x[i], k); }
kernel large(bind: u8[n], x: i64[n+66000], y: u16[n+70000], out v: i64, out w: u16[3]) {
	reduce v = kth[i](x[i], 40000);
	reduce w[j] = kth[i](y[i] ^ u16(j), 1000);
}
kernel loops(bind: u8[n], x: f32[n+66000], steps: i32, out v: f32[5], inout s: f32) {
	repeat t < steps { reduce s = kth[i](x[i] * f32(t + 1), 33000); }
	map v[i] = s;
}
kernel lets(x: f32[n], out y: f32[n]) { let m: f32 = kth[i](x[i], n / 2); map y[i] = x[i] - m; }
// the guess lists too many, and a bin reaches past its window
kernel crowded(bind: u8[n], out v: f32) {
	let x: f32[131072];
	map x[i] = i % 1000 < 400 ? -1 : i % 1000 < 402 ? f32(1.30) : i % 1000 < 502 ? f32(1.31) : f32(1.4);
	reduce v = kth[i](x[i], 52528);
}
test places {
	crowded(bind = [0]) -> v = 1.3;
	median(x = [3, -1, 2]) -> v = 2;
	one(bind = [0], x = 7, k = 701) -> status index;
	one(bind = [0], x = 7, k = -1) -> status index;
	one(bind = [0], x = 7, k = 700) -> v = 7;
}
