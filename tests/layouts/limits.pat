// How large what GPUs sort may be: limits.c calls each with sizes around that.
struct P { key: u8, at: u32 }
fn by_key(a: P, b: P) -> bool = a.key < b.key;

kernel array(inout key: u8[n]) { sort key; }
kernel offsets(inout p: P[n], off: i64[s]) { segsort p by by_key segments off; }
kernel rows(inout key: u16[m, n], inout val: u8[m, n]) { segsort key with val; }
kernel cut_rows(inout key: u8[m, n], off: i32[s]) { segsort key segments off; }
kernel eights(inout key: u8[n]) { segsort key of 8; }
kernel lengths(inout key: u8[n], c: i64) { segsort key of c; }
kernel fixed(inout key: u8[5000000000]) { sort key; }
kernel twice(x: u8[n], inout key: u8[2 * n + 1], steps: i32) { repeat t < steps { sort key; } }
// and arrays of any pattern: constants that an int of C cannot multiply, tiles that are whole
kernel wide(inout x: f32[70000, 70000]) { map x[i, j] += 1; }
kernel tiles(inout x: u8[l, n, m] layout tiled(1024, 1024)) { map x[i, j, k] += 1; }
