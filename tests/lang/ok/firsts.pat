// The first ones of long sequences, few of each: blocks, or warps, keep them while they go over a sequence; of one array
// a sample bounds them before.  Keys alone, with tags in one integer, beside it, keys that a function compares.
struct P { x: f32, id: i32 }
struct Wide { a: f64[12] }             // more than a block keeps
struct Q { w: f64, a: f32[6] }
fn better(a: P, b: P) -> bool = a.x > b.x || (a.x == b.x && a.id < b.id);
fn by_w(a: Q, b: Q) -> bool = a.w < b.w;
fn before(a: Wide, b: Wide) -> bool = a.a[0] < b.a[0];
fn no_order(a: u64, b: u64) -> bool = a < 200 || b > 3;

kernel alone(bind: u8[n], inout key: f32[m, 700*n+300], k: i32) { segsort key by > first k; }
kernel pairs(bind: u8[n], inout key: i16[m, 700*n+300], inout val: f64[m, 700*n+300], k: i64) { segsort key with val first k; }
kernel places(bind: u8[n], key: f64[1500*n+3], out at: i32[1500*n+3], k: i64) { sort key by > first k into at; }
kernel structs(bind: u8[n], inout p: P[m, 600*n+5], inout v: u8[m, 600*n+5], k: i32) { segsort p with v by better first k stable; }
kernel wide(bind: u8[n], inout q: Q[600*n+900], k: i32) { sort q by by_w first k; }
kernel nonsense(bind: u8[n], inout key: u64[697*n+5]) { sort key by no_order first 17; }
kernel pieces(bind: u8[n], inout key: u8[5000*n+7], inout val: u32[5000*n+7], k: i32) { segsort key with val segments of 1333 by > first k; }
kernel many(bind: u8[n], inout key: u32[1100, n+250]) { segsort key first 5; }
kernel picked(bind: u8[n], inout key: i8[n+33000], inout val: u16[n+33000]) { sort key with val first 21; }
kernel picked_by(inout key: u64[40000]) { sort key by no_order first 3; }
kernel again(key: u16[40000], steps: i32, out at: i32[40000]) { repeat t < steps { sort key first 9 into at; } }
kernel too_wide(bind: u8[n], inout w: Wide[300*n+5]) { sort w by before first 3; }
