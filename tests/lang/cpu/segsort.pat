// Segments by offsets, of one length, rows; what is sorted in each.
struct P { x: f32, id: i32 }
fn by_id(a: P, b: P) -> bool = a.id > b.id;

kernel offsets(inout key: u32[n], inout val: u32[n], off: i64[s]) { segsort key with val segments off; }
kernel offsets_keys(inout key: f32[n], off: i32[s]) { segsort key segments off; }
kernel offsets_stable(inout key: i8[n], inout val: f64[n], inout p: P[n], off: u32[s]) {
	segsort key with val, p segments off by > stable;
}
kernel offsets_first(inout key: i16[n], inout val: i32[n], off: u64[s]) { segsort key with val segments off first 2 stable; }
kernel offsets_drop(inout key: u8[n], off: i32[s]) { segsort key segments off drop; }
kernel offsets_trusted(inout key: f64[n], off: i64[s]) { segsort key segments off by > trusted; }
kernel of_length(inout key: u16[n], inout val: u8[n], c: i64) { segsort key with val segments of c stable; }
kernel of_four(inout p: P[n], inout v: i64[n]) { segsort p with v of 4 by by_id; }
kernel of_all(inout key: u8[n], inout val: u8[n]) { segsort key with val of n stable; }
kernel rows(inout key: f32[m, n]) { segsort key by >; }
kernel rows_with(inout key: i32[m, n], inout a: f16[m, n], inout b: u64[m, n]) { segsort key with a, b stable; }
kernel planes(inout key: u8[l, m, n], inout val: u8[l, m, n]) { segsort key with val stable first (n - 1); }
kernel row_pieces(inout key: i64[m, n], inout val: u32[m, n], off: i32[s]) { segsort key with val segments off stable; }
kernel row_lengths(inout key: u32[m, n], c: i32) { segsort key segments of c; }
kernel columns(inout key: f32[m, n] layout col(ld), inout p: P[m, n] layout soa) { segsort key with p stable; }
kernel pitched(inout key: bf16[m, n] layout row(ld)) { segsort key; }
kernel places(key: f32[m, n], k: i32, out at: i32[m, n]) { segsort key by > first k into at stable; }
kernel places_cut(key: u8[n], off: i64[s], out at: u64[n]) { segsort key segments off into at; }

test segments {
	offsets(key = [3, 1, 2, 9, 8], val = [0, 1, 2, 3, 4], off = [0, 3, 3, 5]) -> key = [1, 2, 3, 8, 9], val = [1, 2, 0, 4, 3];
	offsets(key = [3, 1, 2, 9, 8], val = 0, off = [1, 3]) -> key = [3, 1, 2, 9, 8];
	offsets(key = [3, 1, 2, 9, 8], val = 0, off = [0, 3, 1]) -> status index;
	offsets(key = [3, 1, 2, 9, 8], val = 0, off = [0, 6]) -> status index;
	offsets_first(key = [3, 1, 2, 9, 8], val = [0, 1, 2, 3, 4], off = [0, 3, 5]) -> key = [1, 2, 2, 8, 9], val = [1, 2, 2, 4, 3];
	of_length(key = [3, 1, 2, 9, 8], val = [0, 1, 2, 3, 4], c = 2) -> key = [1, 3, 2, 9, 8], val = [1, 0, 2, 3, 4];
	of_length(key = [3, 1, 2], val = 0, c = 0) -> key = [3, 1, 2] status index;
	rows(key = [[1, 2, nan], [3, 5, 4]]) -> key = [[2, 1, nan], [5, 4, 3]];
	places(key = [[1, 2, 3], [3, 5, 4]], k = 2, at = -1) -> at = [[2, 1, -1], [1, 2, -1]];
	row_pieces(key = [[3, 2, 1], [6, 5, 4]], val = 0, off = [0, 2]) -> key = [[2, 3, 1], [5, 6, 4]];
}
