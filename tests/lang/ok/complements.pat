// Complements of small unsigned numbers are negative: what compares them with a constant is decided.
kernel complements(x: u8[n], w: u16[n], inout y: i32[n], out z: i32[n], out s: i64) {
	map y[i] = i32(x[i]) where (~i16(x[i])) > 3i16;
	map y[i] += 1 where (~w[i]) <= 2u16;
	map y[i] += 2 where i32(~w[i]) == 2 || i32(~w[i]) == -3;
	reduce s = count[i in 0..n](u16(~u16(i)) <= 65534u16);
	map z[i] = ~x[i] < 7 ? ~i32(x[i]) : 1;
}
test of_two {
	complements(x = [0, 255], w = [2, 7], y = 0) -> y = [3, 1], z = [-1, -256], s = 1;
}
