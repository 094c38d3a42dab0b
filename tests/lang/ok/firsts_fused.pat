// Keys that a map computes are computed where a selection reads them, and have no memory.
struct P { x: f32, id: i32 }
fn nearer(a: P, b: P) -> bool = a.x < b.x || (a.x == b.x && a.id < b.id);
kernel fused_rows(x: f32[m, 40*n+300], y: f32[m], bind: u8[n], out at: i32[m, 40*n+300], k: i32) {
	let d: f32[m, 40*n+300];
	map d[i, j] = abs(x[i, j] - y[i]);
	segsort d first k into at;
}
kernel fused_many(x: u16[1060, n+515], bind: u8[n], out at: i32[1060, n+515]) {
	let d: u16[1060, n+515];
	map d[i, j] = x[i, j] ^ 5;
	segsort d by > first 40 into at;
}
kernel fused_one(bind: u8[n], x: i16[700*n+33000], w: i16[700*n+33000], out at: u32[700*n+33000]) {
	let d: f32[700*n+33000];
	map d[i] = f32(x[i]) * f32(w[i]);
	sort d first 20 into at;
}
kernel fused_whole(x: f64[900*n+3], bind: u8[n], out at: i64[900*n+3]) {
	let d: f32[900*n+3];
	map d[i] = f32(x[i]) - 1;
	sort d stable into at;
}
kernel fused_ragged(bind: u8[n], x: f32[80000], out at: i32[80000]) {
	let off: i64[3];
	let d: P[80000];
	map off[i] = i == 0 ? n : i == 1 ? 50000 : 80000;
	map d[i] = P(x[i] * x[i], i32(i % 7));
	segsort d segments off by nearer first 12 stable into at;
}
kernel fused_median(bind: u8[n], x: f32[m, 300*n+3], y: f32[m], out v: f32[m]) {
	let d: f16[m, 300*n+3];
	map d[i, j] = f16(abs(x[i, j] - y[i]));
	reduce v[i] = kth[j](d[i, j], 2);
}
kernel fused_long(bind: u8[n], x: i32[n+66000], out v: i64) {
	let d: i64[n+66000];
	map d[i] = i64(x[i]) * 3;
	reduce v = kth[i](d[i], 40000);
}
kernel fused_turned(x: f32[n], out at: i32[n]) {
	let d: f32[n];
	gather d[i] = x[n-1-i];
	sort d first 5 stable into at;
}
kernel fused_turned_long(bind: u8[n], x: u16[n+60000], out at: i32[n+60000]) {
	let d: u16[n+60000];
	gather d[i] = x[n+59999-i];
	sort d first 200 stable into at;
}
// it is moved, or read again: it has memory
kernel stored(x: f32[n], out y: f32[n], out at: i32[n], out w: f32[n]) {
	let d: f32[n];
	map d[i] = -x[i];
	sort d;
	map y[i] = d[i];
	let e: f32[n];
	map e[i] = x[i] * 2;
	sort e into at;
	map w[i] = e[i];
}
