// The first ones of segments whose lengths are data: those of long ones by parts, and then of what these keep.
struct P { x: f32, id: i32 }
struct Q { w: f64, a: f32[6] }
fn better(a: P, b: P) -> bool = a.x > b.x || (a.x == b.x && a.id < b.id);
fn by_w(a: Q, b: Q) -> bool = a.w < b.w;
fn no_order(a: u64, b: u64) -> bool = a < 200 || b > 3;
kernel ragged_alone(bind: u8[n], inout key: f32[150000], k: i32) {
	let off: i64[6];
	map off[i] = i == 0 ? 3 : i == 1 ? 90 : i == 2 ? 5000 + 7 * n : i == 3 ? 76000 : i == 4
		? 76000 : 149000 + n;
	segsort key segments off by > first k;
}
kernel ragged_pairs(bind: u8[n], inout key: i16[140000], inout val: f64[140000]) {
	let off: i32[3];
	map off[i] = i == 0 ? 0 : i == 1 ? i32(139000 + n) : 140000;
	segsort key with val segments off first 9;
}
kernel ragged_places(bind: u8[n], key: f64[2, 70000], out at: i32[2, 70000], k: i64) {
	let off: i32[4];
	map off[i] = i == 0 ? 0 : i == 1 ? 60000 : i == 2 ? i32(60100 + n) : 70000;
	segsort key segments off by > first k into at;
}
kernel ragged_structs(inout p: P[70000], off: i64[3], k: i32) {
	let at: i64[3];
	map at[i] = off[i] * 0 + 34900 * i;
	segsort p segments at by better first k stable;
}
kernel ragged_ties(bind: u8[n], inout key: u8[80000], inout val: u32[80000]) {
	let off: u32[3];
	map off[i] = i == 0 ? 7 : i == 1 ? u32(70000 + n) : 80000;
	segsort key with val segments off first 300 stable;
}
kernel ragged_nonsense(bind: u8[n], inout key: u64[40000]) {
	let off: u32[2];
	map off[i] = i == 0 ? u32(n) : 40000;
	segsort key segments off by no_order first 17;
}
kernel ragged_wide(bind: u8[n], inout q: Q[30000]) {
	let off: i64[3];
	map off[i] = i == 0 ? 0 : i == 1 ? 9000 + n : 30000;
	segsort q segments off by by_w first 40;
}
kernel ragged_many(bind: u8[n], inout key: f32[80000]) {
	let off: i64[3];
	map off[i] = i == 0 ? n : i == 1 ? 72000 : 80000;
	segsort key segments off by > first 2048;
}
kernel ragged_of(inout key: u32[2, 80000], a: u16[4], k: i32) {
	let length: i64;
	reduce length = max[i](i64(a[i]) + 14000);
	segsort key segments of length first k;
}
kernel few_rows(bind: u8[n], inout key: f32[34, n+140000]) { segsort key first 1000; }
