// constants: scalars, expressions, tables of one and more axes, in every place a constant may stand
const PI: f64 = 3.14159265358979323846;
const TAU: f64 = 2 * PI;
const HALF: f32 = 1 / 2;
const THIRD: f32 = 1.0 / 3.0;
const N: i64 = 4;
const M: i64 = N * 2 + 1;
const BIG: u64 = 18446744073709551615;
const LOW: i64 = i64.min;
const MASK: u32 = 0xff00ff00;
const BITS: u8 = ~0x0fu8;
const YES: bool = N > 3 && !(M == 8);
const NEG: i8 = -128;
const INF: f32 = -inf;
const W: f32[5] = [1, 4, 6, 4, 1];
const K: f64[3, 3] = [[0, 1, 0], [1, -4, 1], [0, 1, 0]];
const CUBE: i32[2, 2, 2] = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]];
const FLAGS: bool[4] = [true, false, N == 4, YES];
const EXPRS: f64[N] = [PI, PI / 2, TAU * 2, sqrt(2.0f64)];
const BYTES: u8[3] = [255, 0x80, 1 + 2];
const FL: f64 = floor(2.7f64) + ceil(0.2f64) + abs(-3.5f64) + min(1.0f64, 2) + clamp(9.0f64, 0, 5);
const SH: i32 = 1 << 5 | 3;
const DIV: i32 = -7 / 2;
const MOD: i32 = -7 % 3;
const C: f64 = YES ? 1.5 : 2.5;

kernel scalars(out a: f64, out b: f32, out c: u64, out d: i64, out e: u32, out f: u8, out g: bool, out h: i8) {
	map a = TAU + PI;
	map b = HALF + THIRD;
	map c = BIG;
	map d = LOW + M;
	map e = MASK;
	map f = BITS;
	map g = YES;
	map h = NEG;
}
kernel scalars2(out a: f64, out b: i32, out c: i32, out d: i32, out e: f64, out f: f32) {
	map a = FL;
	map b = SH;
	map c = DIV;
	map d = MOD;
	map e = C;
	map f = INF;
}
kernel tables(x: f32[n], out y: f32[n], out z: f64[n], out w: i32[n]) {
	stencil y[i] = W[0] * x[i-2] + W[1] * x[i-1] + W[2] * x[i] + W[3] * x[i+1] + W[4] * x[i+2] boundary clamp;
	map z[i] = EXPRS[3] * f64(x[i]);
	map w[i] = CUBE[1, 0, 1] + i32(BYTES[0]) + (FLAGS[2] ? 1 : 0);
}
kernel window(x: f32[n], out y: f32[n]) {
	stencil y[i] = sum[k in 0..5](W[k] * x[i+k-2]) boundary mirror;
}
kernel window2(x: f64[n, m], out y: f64[n, m]) {
	stencil y[i, j] = sum[a in 0..3, b in 0..3](K[a, b] * x[i+a-1, j+b-1]) boundary (wrap, reflect);
}
kernel over_table(out s: f32, out t: f64, out u: i32, out v: i64, out row: f64[3], out b: bool) {
	reduce s = sum[k](W[k]);
	reduce t = max[i, j](K[i, j]);
	reduce u = prod[i, j, k](CUBE[i, j, k]);
	reduce v = count[i](FLAGS[i]);
	reduce row[i] = sum[j](K[i, j]);
	reduce b = all[i](FLAGS[i]);
}
kernel table_row(x: f32[5], y: f32[5, n], out z: f32[5], out q: f32[n]) {
	map z[i] = x[i] * W[i];
	reduce q[j] = sum[k](W[k] * y[k, j]);
}
kernel const_sizes(x: f32[N, n], y: f32[M], out z: f32[N, n], out w: f32[2*N+1]) {
	map z[i, j] = x[i, j] + f32(i);
	map w[i] = y[i];
}
kernel table_guard(x: f32[n], out y: f32[n]) {
	map y[i] = i < 5 ? W[i] * x[i] : 0;
}
kernel table_mod(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] * 2 where YES;
}
kernel const_range(x: f32[n], out y: f32[n]) {
	map y[i] = 0;
	map y[i] = x[i] for i in N-4..n where i % N == 0;
}
