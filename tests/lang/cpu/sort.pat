// One array: every type of key, both directions, payloads, places, the first few.
struct P { x: f32, id: i32 }
struct Odd { a: u8, b: f64, c: i16[3] }
fn by_x(a: P, b: P) -> bool = a.x < b.x;
fn even_first(a: i32, b: i32) -> bool = a % 2 == 0 && b % 2 != 0;
fn by_c(a: Odd, b: Odd) -> bool {
	for k in 0..3 {
		if a.c[k] != b.c[k] { return a.c[k] < b.c[k]; }
	}
	return false;
}
fn no_order(a: u8, b: u8) -> bool = a < 200 || b > 3;

kernel keys_u32(inout key: u32[n]) { sort key; }
kernel keys_i8(inout key: i8[n]) { sort key by > unstable; }
kernel keys_u64(inout key: u64[n]) { sort key by <; }
kernel keys_f16(inout key: f16[n]) { sort key; }
kernel keys_bf16(inout key: bf16[n]) { sort key by > stable; }
kernel keys_f64(inout key: f64[n]) { sort key by >; }
kernel pairs_u8(inout key: u8[n], inout val: i64[n]) { sort key with val; }
kernel pairs_i64(inout key: i64[n], inout val: u8[n]) { sort key with val by > stable; }
kernel pairs_f32(inout key: f32[n], inout val: f16[n]) { sort key with val stable; }
kernel many(inout key: u16[n], inout p: P[n], inout o: Odd[n], inout b: bool[n]) { sort key with p, o, b stable; }
kernel many_any(inout key: i16[n], inout p: P[n], inout v: f32[n]) { sort key with p, v by >; }
kernel struct_keys(inout p: P[n], inout q: u32[n]) { sort p with q by by_x stable; }
kernel struct_alone(inout o: Odd[n]) { sort o by by_c; }
kernel few_keys(inout key: i32[n], inout val: i32[n]) { sort key with val by even_first; }
kernel few_stable(inout key: i32[n], inout val: i32[n]) { sort key with val by even_first stable; }
kernel nonsense(inout key: u8[n], inout val: i32[n]) { sort key with val by no_order stable; }
kernel places(key: f32[n], out at: i64[n]) { sort key by > stable into at; }
kernel places_any(key: u8[n], out at: u32[n]) { sort key into at; }
kernel best(inout key: f32[n], k: i32, inout val: i32[n]) { sort key with val by > first k stable; }
kernel best_any(inout key: u8[n], inout val: i32[n]) { sort key with val first 3; }
kernel apart(inout p: P[n] layout soa, inout o: Odd[n] layout aosoa(4)) { sort p with o by by_x stable; }
kernel pass(x: f32[n], inout t: i32[n], steps: i32, out y: f32[n]) {
	let d: f32[n];
	map d[i] = x[i] * x[i];
	repeat k < steps { sort d with t stable; map d[i] = 1 - d[i]; }
	map y[i] = d[i];
}

test sorts {
	keys_u32(key = [3, 1, 2]) -> key = [1, 2, 3];
	keys_f64(key = [nan, 1, inf, -2, nan, 0]) -> key = [inf, 1, 0, -2, nan, nan];
	pairs_f32(key = [nan, 0, 1, nan, -1, 0], val = [0, 1, 2, 3, 4, 5]) -> key = [-1, 0, 0, 1, nan, nan], val = [4, 1, 5, 2, 0, 3];
	pairs_i64(key = [1, 2, 1, 2], val = [0, 1, 2, 3]) -> key = [2, 2, 1, 1], val = [1, 3, 0, 2];
	struct_keys(p = [P(2, 1), P(1, 2), P(2, 3)], q = [1, 2, 3]) -> p = [P(1, 2), P(2, 1), P(2, 3)], q = [2, 1, 3];
	few_stable(key = [1, 2, 3, 4, 5], val = [1, 2, 3, 4, 5]) -> key = [2, 4, 1, 3, 5], val = [2, 4, 1, 3, 5];
	places(key = [1, 3, 2, 3]) -> at = [1, 3, 2, 0];
	best(key = [1, 5, 3, 4], k = 2, val = [0, 1, 2, 3]) -> key = [5, 4, 3, 4], val = [1, 3, 2, 3];
	best(key = [1, 5], k = -1, val = [0, 1]) -> key = [1, 5], val = [0, 1];
	keys_u32(n = 0) -> status ok;
}
