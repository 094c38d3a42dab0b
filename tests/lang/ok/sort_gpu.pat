// What sorts on a GPU is made of: bins, sequences of a warp's lanes, of a block, tiles and merging; keys with their tags
// in one integer, beside it, payloads in place of tags, and keys that a function compares, be it an order or not.
struct P { id: u8, x: f64 }                  // padded
fn by_x(a: P, b: P) -> bool = a.x < b.x;
fn no_order(a: u64, b: u64) -> bool = a < 200 || b > 3;

kernel offsets(bind: u8[n], inout key: u64[97*n+5], inout val: u8[97*n+5], off: i64[3]) { segsort key with val segments off; }
kernel carried(bind: u8[n], inout key: i16[197*n+5], inout val: f32[197*n+5], off: i64[3]) { segsort key with val segments off by >; }
kernel places(bind: u8[n], key: f32[131*n+5], out at: i32[131*n+5]) { sort key by > first 3000 into at stable; }
kernel nonsense(bind: u8[n], inout key: u64[97*n+5]) { sort key by no_order; }
kernel of_nine(inout p: P[m, n]) { segsort p by by_x segments of 9; }
kernel rows(inout key: f16[m, 130], inout val: P[m, 130]) { segsort key with val by > first 50 stable; }

test segments {
	offsets(bind = [0, 0], key = 0, val = 0, off = [0, 7, 3]) -> status index;
}
