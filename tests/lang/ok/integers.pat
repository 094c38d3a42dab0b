// R1, R3, R5, R6: widening, promotion, shifts, bits.
kernel integers(a: i8[n], b: u16[n], c: i32[n], d: u64[n], s: bool[n],
                out p: i32[n], out q: u16[n], out r: u64[n], out t: bool[n], out m: u8[n]) {
	map p[i] = a[i] * c[i] + b[i] + c[i] % 7 - (c[i] >> 3);
	map q[i] = (b[i] + b[i] + b[i]) / 3;
	map r[i] = d[i] << (c[i] & 3) ^ d[i] >> 1 | ~d[i];
	map t[i] = s[i] ^ (a[i] < 0) | (c[i] == 3) & s[i];
	map m[i] = u8(c[i]) + u8(popcount(d[i])) + u8(clz(c[i])) + u8(i32(s[i])) + u8(f32(b[i]) * 0.5);
}
