// R1 to R6 on integers: wrap, division, shifts, casts, literals, narrow types
kernel wrap8(a: i8[n], b: i8[n], out s: i8[n], out d: i8[n], out m: i8[n], out q: i8[n], out r: i8[n], out g: i8[n]) {
	map s[i] = a[i] + b[i];
	map d[i] = a[i] - b[i];
	map m[i] = a[i] * b[i];
	map q[i] = a[i] / b[i];
	map r[i] = a[i] % b[i];
	map g[i] = -a[i];
}
kernel wrapu8(a: u8[n], b: u8[n], out s: u8[n], out d: u8[n], out m: u8[n], out q: u8[n], out r: u8[n], out g: u8[n]) {
	map s[i] = a[i] + b[i];
	map d[i] = a[i] - b[i];
	map m[i] = (a[i] + b[i] + a[i]) / 3;
	map q[i] = a[i] / b[i];
	map r[i] = a[i] % b[i];
	map g[i] = a[i] + min(b[i], 255 - a[i]);
}
kernel wrap16(a: i16[n], b: u16[n], out s: i16[n], out t: u16[n], out w: i32[n]) {
	map s[i] = a[i] * a[i] - a[i];
	map t[i] = b[i] * b[i] + b[i];
	map w[i] = i32(a[i] * a[i]) + a[i] + b[i];
}
kernel wrap32(a: i32[n], b: i32[n], out s: i32[n], out m: i32[n], out q: i32[n], out r: i32[n], out g: i32[n], out h: i32[n]) {
	map s[i] = a[i] + b[i] - 1;
	map m[i] = a[i] * b[i] * 3;
	map q[i] = a[i] / b[i];
	map r[i] = a[i] % b[i];
	map g[i] = -a[i];
	map h[i] = abs(a[i]);
}
kernel wrap64(a: i64[n], b: i64[n], out s: i64[n], out m: i64[n], out q: i64[n], out r: i64[n], out g: i64[n], out h: i64[n]) {
	map s[i] = a[i] + b[i];
	map m[i] = a[i] * b[i];
	map q[i] = a[i] / b[i];
	map r[i] = a[i] % b[i];
	map g[i] = -a[i];
	map h[i] = abs(a[i]);
}
kernel wrapu(a: u32[n], b: u32[n], c: u64[n], d: u64[n], out s: u32[n], out m: u64[n], out q: u32[n], out r: u64[n], out g: u32[n]) {
	map s[i] = a[i] - b[i];
	map m[i] = c[i] * d[i];
	map q[i] = a[i] / b[i];
	map r[i] = c[i] % d[i];
	map g[i] = -a[i];
}
kernel shifts(a: i32[n], b: u32[n], c: i64[n], k: i32[n], u: u8[n], h: i8[n],
              out y: i32[n], out z: u32[n], out w: i64[n], out v: i32[n], out p: u8[n], out q: i8[n]) {
	map y[i] = a[i] >> k[i];
	map z[i] = b[i] << k[i];
	map w[i] = (c[i] >> u[i]) ^ (c[i] << 65);
	map v[i] = a[i] << 33;
	map p[i] = u[i] >> 3;
	map q[i] = h[i] >> 1;
}
kernel shifts2(a: u8[n], b: u16[n], c: u64[n], s: u64[n], out x: u8[n], out y: u16[n], out z: u64[n]) {
	map x[i] = a[i] << 4;
	map y[i] = b[i] >> s[i];
	map z[i] = c[i] >> s[i];
}
kernel bits(a: i32[n], b: i32[n], u: u8[n], out x: i32[n], out y: i32[n], out z: u8[n], out c: i32[n], out d: i32[n], out e: i32[n]) {
	map x[i] = a[i] & b[i] | a[i] ^ b[i];
	map y[i] = ~a[i] & 0xff;
	map z[i] = ~u[i];
	map c[i] = popcount(a[i]);
	map d[i] = clz(b[i]) + ctz(b[i]);
	map e[i] = clz(u[i]) + popcount(u[i]) + ctz(u[i]);
}
kernel bits64(a: i64[n], b: u64[n], s: i16[n], t: i8[n], out c: i32[n], out d: i32[n], out e: i32[n]) {
	map c[i] = popcount(a[i]) + clz(a[i]) + ctz(a[i]);
	map d[i] = popcount(b[i]) + clz(b[i]) + ctz(b[i]);
	map e[i] = popcount(s[i]) + clz(t[i]) + ctz(s[i]);
}
kernel casts(a: i32[n], b: i64[n], f: f32[n], d: f64[n], out w: i8[n], out x: u8[n], out y: i32[n], out z: u32[n], out v: i64[n], out u: u64[n]) {
	map w[i] = i8(a[i]);
	map x[i] = u8(d[i]);
	map y[i] = i32(f[i]);
	map z[i] = u32(d[i]);
	map v[i] = i64(f[i]);
	map u[i] = u64(d[i]);
}
kernel casts2(a: i32[n], b: i64[n], c: u64[n], t: bool[n], out f: f32[n], out d: f64[n], out e: f32[n], out g: i32[n], out h: u16[n]) {
	map f[i] = a[i];
	map d[i] = b[i];
	map e[i] = f32(c[i]) + f32(t[i]);
	map g[i] = i32(t[i]) + i32(c[i]);
	map h[i] = u16(b[i]);
}
kernel casts3(d: f64[n], f: f32[n], out a: i16[n], out b: u16[n], out c: i8[n], out e: u8[n], out g: f32[n], out h: i16[n]) {
	map a[i] = i16(d[i] * 10000);
	map b[i] = u16(f[i] * 50000);
	map c[i] = i8(f[i] * 100);
	map e[i] = u8(f[i] * 200);
	map g[i] = f32(d[i]);
	map h[i] = i16(i32(f[i] * 100000));
}
kernel minmax(a: i8[n], b: i8[n], c: u64[n], d: u64[n], e: i64[n], out x: i8[n], out y: u64[n], out z: i64[n], out w: i8[n]) {
	map x[i] = min(a[i], b[i], 5);
	map y[i] = max(c[i], d[i], 7, 9);
	map z[i] = clamp(e[i], -3, 3);
	map w[i] = abs(a[i]);
}
kernel mixed(a: u8[n], b: i16[n], c: u16[n], d: i32[n], out x: i16[n], out y: i32[n], out z: i32[n], out w: i64[n], out f: f32[n]) {
	map x[i] = a[i] + b[i];
	map y[i] = c[i] - d[i];
	map z[i] = b[i] * i32(c[i]);
	map w[i] = d[i] * i64(d[i]) + a[i];
	map f[i] = f32(a[i]) * 0.5 + b[i];
}
kernel literals(out a: u64[n], out b: i64[n], out c: i8[n], out d: u32[n], out e: f64[n], out f: f32[n]) {
	map a[i] = 0xffffffffffffffff;
	map b[i] = -9223372036854775808;
	map c[i] = -128i8;
	map d[i] = 4294967295;
	map e[i] = 1e300 * 2 + f64(7u8);
	map f[i] = 1.5e-40 + 0x10;
}
kernel compare(a: u8[n], b: i16[n], c: u64[n], out x: bool[n], out y: bool[n], out z: i32[n]) {
	map x[i] = a[i] < b[i] || c[i] >= 0x8000000000000000;
	map y[i] = (a[i] == 3) != (b[i] > 0);
	map z[i] = i32(x[i]) + (y[i] ? 10 : 20);
}
kernel opassign(inout a: i32[n], b: i32[n], inout f: f32[n], inout u: u8[n]) {
	map a[i] += b[i];
	map a[i] -= 3;
	map a[i] *= b[i];
	map a[i] /= 5;
	map a[i] %= 1000;
	map a[i] &= 0x3ff;
	map a[i] |= b[i];
	map a[i] ^= 85;
	map a[i] max= -7;
	map a[i] min= 1000;
	map f[i] /= 3;
	map u[i] += 200;
	map u[i] -= 7;
}
