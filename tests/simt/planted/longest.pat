kernel longest(bind: u8[n], inout key: f32[70000], k: i32) {
	let off: i64[5];
	map off[i] = i == 0 ? 3 : i == 1 ? 90 : i == 2 ? 5000 + 7 * n : i == 3 ? 36000 : 69000 + n;
	segsort key segments off by > first k;
}
kernel stablest(inout key: u8[60000], inout val: u32[60000]) {
	let off: u32[3];
	map off[i] = i == 0 ? 7 : i == 1 ? 50001 : 60000;
	segsort key with val segments off first 300 stable;
}
