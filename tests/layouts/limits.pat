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
// and domains that no array covers: their cells, a fold's terms, items that meet, ranges that are too wide by themselves
kernel pairs(x: f32[n], y: f32[m], out s: f32) { reduce s = sum[i, j](x[i] * y[j]); }
kernel inner(x: f32[n], y: f32[m], out s: f32[l]) { reduce s[i] = sum[j, k](x[j] * y[k] + f32(i)); }
kernel spread(x: i32[n], y: i32[m], inout h: i32[l]) { histogram h[x[i] + y[j]] += 1 drop; }
kernel covered(a: u8[n, m], out s: i32) { reduce s = sum[i in 0..n - 1, j in 1..m](a[i, j] - a[i + 1, j - 1]); }
