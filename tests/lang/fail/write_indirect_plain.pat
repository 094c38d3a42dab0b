// write_indirect_plain.pat - what is shown is what was written, without the conversions of its subscripts.
kernel f(idx: i32[n], k: u8[n], x: f32[n], out b: f32[n]) {
	map b[idx[i]] = x[i];
}
kernel g(idx: i32[n], k: u8[n], x: f32[n], out b: f32[n]) {
	map b[i64(idx[i]) + k[i]] = x[i];
}
