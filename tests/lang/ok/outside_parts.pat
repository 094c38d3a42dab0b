// A subscript after a field that the run shows to be outside: nothing is written, and it is recorded.
struct Part { m: f32[4], k: i32 }
struct Nest { m: Part[2] }
struct Grid { m: f32[2, 3], k: i32 }
kernel part_map(a: f32[n], inout m: Part[n], k: i64) { map m[i].m[k] = a[i]; }
kernel part_two(a: f32[n], inout m: Grid[n], k: u8, r: i32[n]) { map m[i].m[k, r[i]] = a[i], m[i].k = 9; }
kernel part_gather(a: f32[n], q: i32[n], inout m: Part[n]) { gather m[i].m[q[i]] = a[i] drop; }
kernel part_where(a: f32[n], inout m: Part[n], k: i32) { map m[i].m[k] = a[i] where a[i] > 0; map m[i].m[k] min= a[i]; }
kernel part_fold(a: f32[n], b: f32[3], inout m: Part[3], inout one: Part, k: i64) {
	reduce m[i].m[k] = max[j](a[j] * b[i]);
	reduce one.m[k] = max[i](a[i]);
}
kernel part_scan(a: f32[n], inout m: Part[n], k: i64) { scan m[i].m[k] = max(a[i]); }
kernel part_near(a: f32[n], inout m: Part[n], k: i64) { stencil m[i].m[k] = a[i-1] boundary clamp; }
kernel part_pairs(a: f32[n], b: f32[3], inout m: Part[3], k: i64) { pairs m[i].m[k] = max[j](a[j] - b[i]); }
kernel part_turn(a: f32[n, l], inout m: Part[l, n], k: i64) { transpose m[j, i].m[k] = a[i, j]; }
kernel part_product(a: i32[n, l], b: i32[l, p], inout m: Part[n, p], k: i64) {
	matmul m[i, j].m[k] = f32(sum[r](a[i, r] * b[r, j]));
}
kernel part_nest(a: f32[n], inout m: Nest[n], k: i64) { map m[i].m[k].m[1] = a[i], m[i].m[0].m[k] = 3; }
kernel part_loop(a: f32[n], inout m: Part[n], k: u8) { repeat t < k { map m[i].m[t] = a[i] + f32(t); } }
kernel part_kth(a: f32[n], inout m: Part[3], k: i64) { reduce m[i].m[k] = kth[j](a[j], 0) for i in 0..3; }
kernel cell_kth(a: f32[n], out m: f32[8], k: i64) { reduce m[k] = kth[i](a[i], 0); }
kernel loop_kth(a: f32[n], out m: f32[8], s: u8) { repeat t < s { reduce m[t] = kth[i](a[i], 0); } }

test parts {
	part_map(a = [1, 2], m = [Part([0, 0, 0, 0], 7), Part([0, 0, 0, 0], 8)], k = 1) -> m = [Part([0, 1, 0, 0], 7), Part([0, 2, 0, 0], 8)];
	part_map(a = [1, 2], m = [Part([0, 0, 0, 0], 7), Part([0, 0, 0, 0], 8)], k = 4) -> status index;
	part_gather(a = [5, 6], q = [9, 1], m = [Part([1, 2, 3, 4], 0), Part([1, 2, 3, 4], 0)])
		-> m = [Part([1, 2, 3, 4], 0), Part([1, 6, 3, 4], 0)];
	cell_kth(a = [3, 1], k = 2) -> m = [0, 0, 1, 0, 0, 0, 0, 0];
	cell_kth(a = [3, 1], k = 8) -> status index;
}
