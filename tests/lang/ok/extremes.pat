// the ends of the integers, wherever the compiler itself computes with them
kernel no_cells(a: f32[n], inout y: f32[n]) { map y[i] = a[i] for i in i64.max-5..n+i64.min; }
kernel never(a: f32[n], inout y: f32[n]) { map y[i] = a[i] where i + i64.max < i64.min && i - i64.min > 0; }
kernel far(a: f32[n], out y: f32[n]) { stencil y[i] = a[i+i64.max] + a[i-i64.max] boundary clamp; }
kernel ends(x: i64[n], out z: i64[n, 9]) {
	map z[i, 0] = (x[i] + i64.min) - i64.min for i in 0..n;
	map z[i, 1] = x[i] - i64.min for i in 0..n;
	map z[i, 2] = x[i] / -1i64 + i64.min / -1i64 + i64.min % -1i64 for i in 0..n;
	map z[i, 3] = -i64.min + abs(i64.min) for i in 0..n;
	map z[i, 4] = (x[i] << 63) + (i64.min >> 63) + (i64.min << 1) for i in 0..n;
	map z[i, 5] = abs(x[i] * i64.min) * i64.min for i in 0..n;
	map z[i, 6] = clamp(x[i], i64.min, i64.max) + popcount(i64.min) + clz(i64.min) + ctz(i64.min) for i in 0..n;
	map z[i, 7] = i64(i32.min / -1i32) + i64(-i32.min) + i64(i8.min) * i64(i16.min) for i in 0..n;
	map z[i, 8] = (x[i] - i64.max) - i64.max - 2 for i in 0..n;
}
test ends {
	ends(x = [0, 1, -1]) -> z = [
		[0, -9223372036854775807-1, -9223372036854775807-1, 0, -1, 0, 64, -4290772992, 0],
		[1, -9223372036854775807, 9223372036854775807, 0, 9223372036854775807, 0, 65, -4290772992, 1],
		[-1, 9223372036854775807, -9223372036854775807, 0, 9223372036854775807, 0, 63, -4290772992, -1]];
}
