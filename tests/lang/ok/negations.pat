// sums that compilers simplify to a negation, as the second of three operands of a minimum: backends/ptxas.c
fn rest(a: i32) -> i32 = 5 - a;
kernel differs(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], (5 - x[i]) - 5), z[i]); }
kernel factors(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], x[i] * 3 - x[i] * 4), z[i]); }
kernel cancels(x: i32[n], y: i32[n], z: i32[n], w: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], (w[i] - x[i]) - w[i]), z[i]); }
kernel inverts(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], ~(x[i] - 1)), z[i]); }
kernel widens(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], i32((7 - i64(x[i])) - 7)), z[i]); }
kernel calls(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = max(max(y[i], rest(x[i]) - 5), z[i]); }
kernel turns(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { reduce o[i] = min[k in 0..3](min(min(y[i], i32(k) - x[i]), z[i])); }
kernel leaves(x: i32[n], y: i32[n], z: i32[n], out o: i32[n]) { map o[i] = min(min(y[i], 5 - x[i]), z[i]); }
test signs {
	differs(x = [7, -7, -2147483648], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, -2147483648];
	factors(x = [7, -7, -2147483648], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, -2147483648];
	cancels(x = [-7, 7, -2147483648], y = -9, z = 3, w = random) -> o = [7, 3, 3];
	inverts(x = [7, -7, 0], y = [9, 9, 9], z = [3, 3, 3]) -> o = [-7, 3, 0];
	widens(x = [-7, 7, -2147483648], y = -9, z = 3) -> o = [7, 3, 3];
	calls(x = [-7, 7, -2147483648], y = -9, z = 3) -> o = [7, 3, 3];
	turns(x = [7, -7], y = 9, z = 3) -> o = [-7, 3];
	leaves(x = [7, -7], y = 9, z = 3) -> o = [-2, 3];
}
