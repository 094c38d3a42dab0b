// Every form of compact: with and without a count, several arrays, rejects, ranges, several indices.
struct Atom { x, y, z: f32, kind: i32 }
struct Odd { a: u8, b: f64, c: i16[3] }

kernel positive(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] where x[i] > 0;
}
kernel places(flag: u8[n], out at: i64[n], out k: i32) {
	compact at, k = i where flag[i] % 3 == 1 stable;
}
kernel no_count(x: i32[n], out y: i32[n]) {
	compact y = 2 * x[i] + i32(i) where x[i] % 2 == 0;
}
kernel together(x: f64[n], w: u8[n], p: Atom[n], out y: f64[n], out v: u8[n], out q: Atom[n], out k: i64) {
	compact y, k = x[i], v = w[i], q = p[i] where w[i] < 100 && x[i] < 1;
}
kernel parted(x: i32[n], out low: i32[n], out high: i32[n], out k: i64) {
	compact low, k = x[i] where x[i] < 5 else high;
}
kernel parted_two(x: i32[n], o: Odd[n], out a: i32[n], out b: Odd[n], out c: i64[n], out d: Odd[n]) {
	compact a = x[i], b = o[i] where o[i].b < 0.5 else (c, d);
}
kernel small(x: u16[n], out y: u16[m], out z: u16[m], out k: i64) {
	compact y, k = x[i] where x[i] % 2 == 0 else z;
}
kernel ranged(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] - x[i-1] where x[i] != x[i-1] for i in 1..n;
}
kernel matrix(a: i32[n, m], out y: i32[2 * n + m], out row: i64[2 * n + m], out col: i64[2 * n + m], out k: i64) {
	compact y, k = a[i, j], row = i, col = j where a[i, j] > 0;
}
kernel turned(a: i16[n, m], out y: i16[n + m], out k: i64) {
	compact y, k = a[i, j] where a[i, j] > 0 for j in 0..m, i in 0..n;
}
kernel triangle(a: i32[n, n], out y: i32[n + 7], out z: i32[n], out k: i64) {
	compact y, k = a[i, j] where a[i, j] % 2 == 0 for i in 0..n, j in 0..i + 1 else z;
}
kernel part(x: u32[n], from_: i64, to: i64, out y: u32[n], out k: i64) {
	compact y, k = x[i] where x[i] > 7 for i in from_..to;
}
kernel gathered(x: f32[n], at: i32[m], out y: f32[m], out z: f32[m], out k: i64) {
	compact y, k = x[at[i]] where at[i] % 2 == 0 else z;
}
kernel gathered_drop(x: f32[n], at: i32[m], out y: f32[m], out k: i64) {
	compact y, k = x[at[i]] where at[i] % 2 == 0 drop;
}
kernel guarded(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = i > 0 ? x[i-1] : x[i] where i + 1 < n && x[i+1] > 0;
}
kernel filtered(a: i32[n, m], bound: i32, out rows: i64[n], out k: i64) {
	compact rows, k = i where any[j](a[i, j] > bound) for i in 0..n;
}
