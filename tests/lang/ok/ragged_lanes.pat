// Rows whose terms look cells up: even ones by some lanes each, others in parts; by hand.
kernel ints(off: i32[r+1], at: u8[n], w: i32[n], x: i32[k], out y: i32[r]) {
	reduce y[i] = sum[e in off[i]..off[i+1]](w[e] * x[at[e]]);
}
kernel several(off: i64[r+1], at: i64[n], w: f64[n], u: f64[k], v: f32[k], inout y: f64[r], out z: f64[r], out m: i64[r]) {
	reduce y[i] = y[i] + sum[e in off[i]..off[i+1]](w[e] * u[at[e]]) + max[e in off[i]..off[i+1]](u[at[e]]),
	       z[i] = min[e in off[i]..off[i+1]](w[e] + v[at[e]]), m[i] = count[e in off[i]..off[i+1]](v[at[e]] > 0);
}
kernel some(off: u32[r+3], at: u8[n], x: i16[k], inout y: i32[r]) {
	reduce y[i] = sum[e in off[i+2]..off[i+3] where at[e] > 3](x[at[e]]) for i in 1..r drop;
}
kernel halves(off: i32[r+1], at: u8[n], w: f16[n], x: bf16[n], out y: f32[r]) {
	reduce y[i] = sum[e in off[i]..off[i+1]](f32(w[e]) * f32(x[at[e]])) trusted;
}
kernel plain(off: i32[r+1], at: i32[n, 2], x: u64[k], out y: u64[r], out all: bool[r]) {
	reduce y[i] = prod[e in off[i]..off[i+1]](x[at[e, 1]]), all[i] = all[e in off[i]..off[i+1]](x[at[e, 0]] > 0);
}
kernel twice(off: i32[r+1], at: u8[n], x: f32[k], inout y: f32[r], steps: i32) {
	repeat t < steps { reduce y[i] = y[i] / 2 + sum[e in off[i]..off[i+1]](x[at[e]]); }
}

test even {
	ints(off = [0, 240, 480, 720, 960, 1200, 1440, 1680, 1920, 2160, 2400, 2640, 2880, 3120, 3360, 3600, 3840, 4080, 4320, 4560, 4800, 5040, 5280, 5520, 5760, 6000, 6240, 6480, 6720, 6960, 7200], at = random, w = random, x = random, k = 256, n = 7200);
	ints(off = [3, 243, 483, 723, 963, 1203, 1443, 1683, 1923, 2163, 2403, 2643, 2883, 3123, 3363, 3603, 3843, 4083, 4323, 4563, 4803, 5043, 5283, 5523, 5763, 6003, 6243, 6483, 6723, 6963, 7203], at = random, w = random, x = random, k = 200, n = 7300);
	twice(off = [0, 240, 480, 720, 960, 1200, 1440, 1680, 1920, 2160, 2400, 2640, 2880, 3120, 3360, 3600, 3840, 4080, 4320, 4560, 4800, 5040, 5280, 5520, 5760, 6000, 6240, 6480, 6720, 6960, 7200], at = random, x = random, k = 256, n = 7200, y = 1, steps = 2);
	ints(off = [0, 3, 1, 4], at = [0, 1, 2, 0], w = [1, 2, 3, 4], x = [10, 20, 30], n = 4) -> y = [140, 0, 170] status index;
	ints(off = [0, 1, 2, 3, 4, 4, 6, 6], at = random, w = random, x = random, k = 256, n = 6);
}
test uneven {
	ints(off = [3, 10, 10, 30000, 30001, 34000, 34000, 34001, 34100, 34101, 34102, 34103, 34104, 34105, 34106, 60001], at = random,
	     w = random, x = random, k = 256, n = 60010);
	ints(off = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002, 5000, 4000, 9000], at = random, w = random, x = random, k = 256,
	     n = 9000) -> status index;
	twice(off = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002, 5000, 5001, 9000], at = random, x = random, k = 256, n = 9000,
	      y = 1, steps = 2);
}
