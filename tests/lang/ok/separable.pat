// separable wavefronts: types, weights, borders, directions, ranges, problems beside each other
kernel area(p: f32[m, n], out a: f32[m, n]) {
	table: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel area_f64(p: f64[m, n], q: f64[n], out a: f64[m, n]) {
	wavefront a[i, j] = p[i, j] * q[j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 1;
}
kernel area_f16(p: f16[m, n], out a: f16[m, n]) {
	wavefront a[i, j] = p[i, j] / 64 + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel area_u8(p: u8[m, n], out a: u8[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary u8(i + 2 * j);
}
kernel area_wide(p: u8[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = i32(p[i, j]) * i32(p[i, j]) + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel weighted(p: i32[m, n], top: i32[n], left: i32[m], out a: i32[m, n]) {
	wavefront a[i, j] = 2 * a[i-1, j] + a[i, j-1] * 3 + p[i, j] - a[i-1, j-1] * 6
	          boundary (i < 0 ? (j < 0 ? 5 : top[j]) : left[i]);
}
kernel unsigned_weights(p: u32[m, n], out a: u32[m, n]) {
	wavefront a[i, j] = 2 * a[i-1, j] + a[i, j-1] * 3 + p[i, j] - a[i-1, j-1] * 6 boundary 7;
}
kernel decay(p: f32[m, n], r: f32, c: f32, out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + r / 64 * a[i, j-1] + c / 64 * a[i-1, j] - (r / 64) * (c / 64) * a[i-1, j-1] boundary 0;
}
kernel highest(p: i16[m, n], out a: i16[m, n]) {
	wavefront a[i, j] = max(max(a[i-1, j], a[i, j-1]), p[i, j]) boundary -100;
}
kernel lowest(p: f64[m, n], inout a: f64[m, n]) {
	wavefront a[i, j] = min(min(a[i+1, j], a[i, j+1]), min(a[i+1, j+1], p[i, j])) from right from below
	          for i in 0..m-1, j in 0..n-1;
}
kernel slope(p: i32[m, n], out a: i32[m, n]) {
	wavefront a[i, j] = max(max(a[i-1, j] - 2, a[i, j-1] - 1), max(a[i-1, j-1] - 3, p[i, j])) boundary (-3 * i32(i + j));
}
kernel cost(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = (a[i-1, j] ○ 0.5) ◇ (a[i, j-1] ○ 0.25) ◇ p[i, j] using ○ = +, ◇ = min boundary inf;
}
kernel reached(p: bool[m, n], out a: bool[m, n]) {
	wavefront a[i, j] = p[i, j] || a[i-1, j] || a[i, j-1] boundary false;
}
kernel parity(p: u64[m, n], out a: u64[m, n]) {
	wavefront a[i, j] = p[i, j] ^ a[i-1, j] ^ a[i, j-1] ^ a[i-1, j-1] boundary 3;
}
kernel bits(p: u16[m, n], out a: u16[m, n]) {
	wavefront a[i, j] = p[i, j] | a[i-1, j] | a[i, j-1] boundary 0;
}
kernel inner(p: f32[m, n], inout a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] for i in 1..m, j in 1..n;
}
kernel backward(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j+1] - a[i-1, j+1] boundary 0 from right;
}
kernel images(p: i32[l, m, n], out a: i32[l, m, n]) {
	wavefront a[k, i, j] = p[k, i, j] + a[k, i-1, j] + a[k, i, j-1] - a[k, i-1, j-1] boundary i32(k);
}
kernel tall(p: f32[700, 3], out a: f32[700, 3]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel tall_slope(p: i64[700, 8], out a: i64[700, 8]) {
	wavefront a[i, j] = p[i, j] + 3 * a[i-1, j] + a[i, j-1] - 3 * a[i-1, j-1] boundary (i + j);
}
kernel wide(p: i32[70, 900], out a: i32[70, 900]) {
	wavefront a[i, j] = max(max(a[i-1, j] - 5, a[i, j-1] - 1), p[i, j]) boundary 0;
}
kernel towers(p: i32[1700, 8], out a: i32[1700, 8]) {
	wavefront a[i, j] = p[i, j] + 3 * a[i-1, j] + 5 * a[i, j-1] - 15 * a[i-1, j-1] boundary 7;
}
kernel columns_first(p: f32[m, n], out a: f32[m, n]) {
	wavefront a[i, j] = p[j % m, i % n] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] for j in 0..n, i in 0..m boundary 0;
}
schedule area for cuda { table: sweep separable; }
