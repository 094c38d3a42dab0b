// The 0-1 principle: a network that sorts all sequences of 0 and 1 sorts everything.  Every such sequence is a row; what
// moves along says where it stood, so that equal keys are seen to keep their order.
kernel two(out wrong: i64) {
	let key: u8[4, 2];
	map key[r, i] = u8(r >> i & 1);
	segsort key;
	reduce wrong = count[r, i](i > 0 && key[r, i-1] > key[r, i]);
}
kernel seven(out wrong: i64) {
	let key: f32[128, 7];
	map key[r, i] = f32(r >> i & 1);
	segsort key by >;
	reduce wrong = count[r, i](i > 0 && key[r, i-1] < key[r, i]);
}
kernel eight(out wrong: i64) {
	let key: u32[256, 8];
	let at: u8[256, 8];
	map key[r, i] = u32(r >> i & 1), at[r, i] = u8(i);
	segsort key with at stable;
	reduce wrong = count[r, i]((key[r, i] == 1) != (r >> at[r, i] & 1 == 1)
		|| (i > 0 && (key[r, i-1] > key[r, i] || (key[r, i-1] == key[r, i] && at[r, i-1] >= at[r, i]))));
}
kernel eleven(out wrong: i64) {
	let key: i64[2048, 11];
	let at: u16[2048, 11];
	map key[r, i] = r >> i & 1, at[r, i] = u16(i);
	segsort key with at by >;
	reduce wrong = count[r, i](key[r, i] != (r >> at[r, i] & 1) || (i > 0 && key[r, i-1] < key[r, i]));
}
kernel thirteen(out wrong: i64) {
	let key: u16[8192, 13];
	map key[r, i] = u16(r >> i & 1);
	segsort key;
	reduce wrong = count[r, i](i > 0 && key[r, i-1] > key[r, i]);
}

test networks {
	two() -> wrong = 0;
	seven() -> wrong = 0;
	eight() -> wrong = 0;
	eleven() -> wrong = 0;
	thirteen() -> wrong = 0;
}
