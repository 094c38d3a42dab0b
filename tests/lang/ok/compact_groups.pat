// Many tiles of few items: what comes before them is told by groups, in the order of the items and in any.
kernel moved(x: f64[n], out a: f64[k], out b: i64[k], out c: f64[k], out d: i64[k], out total: i64) {
	compact a, total = x[i], b = i, c = 2 * x[i], d = i + 1 where x[i] > 0;
}
kernel parted(x: f64[n], out a: f64[n], out b: i64[n], out c: f64[n], out d: i64[n], out total: i32) {
	compact a, total = x[i], b = i where x[i] > 0.25 else (c, d);
}
kernel counted(x: f64[n], out a: i64[k], out b: i64[k], out c: i64[k], out d: i64[k], out total: i64) {
	compact a = 0 * i, b = 0 * i, c = 0 * i, d, total = 0 * i where x[i] > 0 unordered;
}
test groups_of_tiles {
	moved(n = 70001, k = 40000, x = random);
	moved(n = 70001, k = 20000, x = random) -> status full;
	parted(n = 50001, x = random);
	counted(n = 70001, k = 40000, x = random);
}
