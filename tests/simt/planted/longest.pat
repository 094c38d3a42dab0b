kernel longest(bind: u8[n], inout key: f32[150000], k: i32) {
	let off: i64[5];
	map off[i] = i == 0 ? 3 : i == 1 ? 90 : i == 2 ? 5000 + 7 * n : i == 3 ? 145000 : 149000 + n;
	segsort key segments off by > first k;
}
kernel stablest(bind: u8[n], inout key: u8[80000], inout val: u32[80000]) {
	let off: u32[3];
	map off[i] = i == 0 ? 7 : i == 1 ? u32(70000 + n) : 80000;
	segsort key with val segments off first 300 stable;
}
