// The first ones of sequences: which ways there are for lengths that are data, short rows, longer ones, any.
kernel cut(inout key: f32[n], off: i32[s]) { segsort key segments off first 3; }
kernel short_rows(inout key: f32[n, 100]) { segsort key first 3; }
kernel rows(inout key: f32[n, 3000], out at: i32[n, 3000], k: i32) { segsort key first 3; segsort key into at first k; }
kernel any(inout key: f32[n, m], off: i32[s], at: i64[1], k: i32) {
	let few: i64;
	reduce few = max[i](at[i]);
	segsort key segments off first k;
	segsort key first k;
	segsort key segments off first few;
}
