// R4: a literal takes the type of what it meets, whole subexpressions of literals too.
kernel literals(x: f32[n], b: u8[n], k: i64[n], out y: f32[n], out c: u8[n], out d: i64[n], out e: f64[n]) {
	map y[i] = x[i] * (1/2) + (3 - 1) / 4.0 - -2;
	map c[i] = b[i] + min(b[i], 255 - b[i]);
	map d[i] = k[i] * 2 + i32.min - 0x1f + 0xffu8 + -128i8 + i64.max;
	map e[i] = max(1, 2, 0.5) + (b[i] > 3 ? 1 : 0) + sqrt(2) + f64(7) + -inf;
}
