// reduce over ranges of an array whose terms look cells up: even rows by lanes, others in parts.
kernel lanes(off: i32[r+1], at: u8[n], w: i32[n], x: i32[k], out y: i32[r])
{
	reduce y[i] = sum[e in off[i]..off[i+1]](w[e] * x[at[e]]);
}

test rows {
	lanes(off = [3, 243, 483, 723, 963, 1203, 1443, 1683, 1923, 2163, 2403, 2643, 2883, 3123, 3363, 3603, 3843, 4083, 4323, 4563, 4803, 5043, 5283, 5523, 5763, 6003, 6243, 6483, 6723, 6963, 7203], at = random, w = random, x = random, k = 256, n = 7210);
	lanes(off = [0, 1, 7, 8, 19, 19, 21, 22], at = random, w = random, x = random, k = 256, n = 22);
	lanes(off = [3, 10, 10, 9000, 9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008, 9700, 9701, 9702, 9703, 12000],
	      at = random, w = random, x = random, k = 256, n = 12010);
}
