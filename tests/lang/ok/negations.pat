// sums that compilers simplify to a negation, as the second of three operands of a minimum: backends/ptxas.c
fn rest(a: i32) -> i32 = 5 - a;
kernel differs(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], (5 - x[i]) - 5), z[i]); }
kernel factors(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], x[i] * 3 - x[i] * 4), z[i]); }
kernel cancels(x: i32[n], y: i32[n], z: i32[n], w: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], (w[i] - x[i]) - w[i]), z[i]); }
kernel inverts(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], ~(x[i] - 1)), z[i]); }
kernel widens(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], i32((7 - i64(x[i])) - 7)), z[i]); }
kernel calls(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], rest(x[i]) - 5), z[i]); }
kernel turns(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { reduce o[i] = min[k in 0..3](min(min(y[i], i32(k) - x[i]), z[i])); }
kernel sums(x: i32[n], y: i32[n], z: i32[n], w: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], -(x[i] + w[i])), z[i]); }
kernel products(x: i32[n], y: i32[n], z: i32[n], w: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], -(x[i] * w[i] + z[i])), z[i]); }
kernel shares(x: i32[n], y: i32[n], z: i32[n], w: i32, out o: i32[n]) {
	map o[i] = min(min(-(w - 3 * x[i]), y[i]), z[i]) + (w - 3 * x[i]);
}
kernel rests(x: i32[n], y: i32[n], z: i32[n], w: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], w[i] - x[i]), z[i]); }
kernel leaves(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], 5 - x[i]), z[i]); }
test signs {
	differs(x = [7, -7, -2147483648], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, -2147483648];
	factors(x = [7, -7, -2147483648], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, -2147483648];
	cancels(x = [-7, 7, -2147483648], y = -9, z = 3, w = random) -> o = [7, 3, 3];
	inverts(x = [7, -7, 0], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, 0];
	widens(x = [-7, 7, -2147483648], y = -9, z = 3) -> o = [7, 3, 3];
	calls(x = [-7, 7, -2147483648], y = -9, z = 3) -> o = [7, 3, 3];
	turns(x = [7, -7], y = 9, z = 3) -> o = [-7, 3];
	sums(x = [7, -7], y = 9, z = 3, w = [1, 2]) -> o = [-8, 3];
	products(x = [7, -7], y = 9, z = 3, w = [1, 2]) -> o = [-10, 3];
	shares(x = [7, -7], y = 9, z = 3, w = 1) -> o = [-17, 0];
	rests(x = [7, -7], y = 9, z = 3, w = [1, 2]) -> o = [-6, 3];
	leaves(x = [7, -7], y = 9, z = 3) -> o = [-2, 3];
}
