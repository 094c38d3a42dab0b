// Compacts that keep every item of ranges that data decide: they count their ranges themselves.
struct Run { from: i32, cells: u8 }

kernel join(left: u32[n], right: u32[m], inout l: i32[most], inout r: i32[most], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = search(right, left[i], upper);
	compact l, pairs = i32(i), r = i32(j) where true for i in 0..n, j in first[i]..end[i];
}
kernel band(left: f64[n], right: f32[m], width: f32, inout l: i32[most], inout r: i64[most], out pairs: i32) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i] - f64(width));
	map end[i] = search(right, left[i] + f64(width), upper);
	compact l, pairs = i32(i), r = j where true for i in 0..n, j in first[i]..end[i];
}
kernel names(left: i16[n], right: i16[m], other: i64[k], inout l: i32[most], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = first_of(search(right, left[i], upper), search(other, i64(left[i])));
	compact l, pairs = i32(j) where true for i in 0..n, j in first[i]..end[i];
}
fn first_of(a: i64, b: i64) -> i64 = min(a, b + 3);
kernel split(count: u8[n], x: f32[n], inout y: f32[most], inout of: i32[most], out items: i64) {
	compact y, items = x[p] * f32(k), of = i32(p) where true for p in 0..n, k in 0..i64(count[p]);
}
kernel rows(row: i32[m+1], w: f32[k], inout y: f32[most], inout at: i32[most], out items: i64) {
	compact y, items = w[e], at = i32(r) where true for r in 0..m, e in row[r]..row[r+1];
}
kernel runs(run: Run[m, n], inout at: i64[most], inout of: i32[most], out items: i64) {
	compact at, items = c, of = i32(i * 1000 + j) where true
		for i in 0..m, j in 0..n, c in run[i, j].from..i64(run[i, j].from) + run[i, j].cells;
}
kernel again(count: u8[n], times: i64, inout of: i32[most], out all: i64) {
	let items: i64;
	map all = 0;
	repeat t < times {
		compact of, items = i32(p) where true for p in 0..n, k in 0..i64(count[p]);
		map all = all + items;
	}
}
// what the map reads the compact fills: the map stays a statement
kernel into(inout left: i32[n], right: i32[m], out pairs: i64) {
	let first: i64[n];
	let end: i64[n];
	map first[i] = search(right, left[i]), end[i] = search(right, left[i], upper);
	compact left, pairs = i32(j) where true for i in 0..n, j in first[i]..end[i];
}
// narrow temporaries, and a struct
kernel narrow(count: u8[n], run: Run[n], inout at: i64[most], out items: i64) {
	let start: i16[n];
	let own: Run[n];
	map start[i] = i16(count[i]) - 100;
	map own[i] = Run(run[i].from & 255, run[i].cells);
	compact at, items = c + i32(i) where true for i in 0..n, c in i32(start[i])..own[i].from - i32(own[i].cells);
}
// a map before the map that bounds ranges, and two compacts one after the other
kernel chain(left: i32[n], right: i32[m], count: u8[n], inout l: i32[most], inout r: i32[most], out pairs: i64, out items: i64) {
	let key: i32[n];
	let first: i64[n];
	let end: i64[n];
	map key[i] = left[i] / 2;
	map first[i] = search(right, key[i]), end[i] = search(right, key[i], upper);
	compact l, pairs = i32(i + j) where true for i in 0..n, j in first[i]..end[i];
	compact r, items = i32(i) where true for i in 0..n, j in 0..i64(count[i]);
}
