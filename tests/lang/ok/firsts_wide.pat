// Some first ones of many rows: a warp keeps up to 64, 128 or 256 of each.  Keys alone, with tags, carried values, keys that
// a function compares, ties that are stable.
struct P { x: f32, id: i32 }
fn better(a: P, b: P) -> bool = a.x > b.x || (a.x == b.x && a.id < b.id);
kernel wide_alone(bind: u8[n], inout key: f32[1060, n+515]) { segsort key by > first 50; }
kernel wide_places(bind: u8[n], key: u16[1060, n+515], out at: i32[1060, n+515], k: i32) {
	segsort key first k into at;
}
kernel wide_carried(bind: u8[n], inout key: i16[1060, n+1025], inout val: f32[1060, n+1025]) {
	segsort key with val first 100;
}
kernel wide_f64(key: f64[1060, 1100], out at: i32[1060, 1100]) {
	segsort key by > first 128 into at;
}
kernel wide_stable(bind: u8[n], inout key: u16[1060, n+2055], inout val: u16[1060, n+2055]) {
	segsort key with val first 256 stable;
}
kernel wide_structs(bind: u8[n], inout p: P[1060, n+1040]) { segsort p by better first 70; }
