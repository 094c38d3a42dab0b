// Minima of three with a negation, absolute values that become floats: what ptxas translates wrong unless they are
// written another way (backends/ptxas.c).  Results are compared here; tests/fuzz/operations has all operations.
fn lesser(a: i32, b: i32) -> i32 = -a < b ? -a : b;
fn difference(a: i32, b: i32) -> i32 = a - b;

kernel minima(x: i32[n], y: i32[n], z: i64[n], s: i16[n], u: u32[n], c: i32,
              out a: i32[n], out b: i32[n], out d: i32[n], out e: i32[n], out f: i16[n], out g: i32[n])
{
	map a[i] = min(min(-x[i], y[i]), c);
	map b[i] = max(max(y[i], 0 - x[i]), x[i] * -1);
	map d[i] = min(min(i32(-z[i]), ~y[i] + 1), i32(0 - u[i]));
	map e[i] = min(lesser(x[i], y[i]), min(difference(0, y[i]), i32(-i)));
	map f[i] = i16(min(min(-s[i], y[i]), x[i] / -1));
	map g[i] = min(min(x[i] < 0 ? -x[i] : x[i], ~(y[i] - 1)), x[i]);
}

kernel folds(x: i32[m, n], out most: i32[m], out least: i32, out running: i32[m, n], out few: i32[m])
{
	reduce most[i] = max[j](-x[i, j]);
	reduce least = min[i, j](-x[i, j]);
	scan running[i, j] = max[j](-x[i, j]);
	reduce few[i] = max[k in 0..4](i32(k) - x[i, 0]) where n > 0;
}

kernel absolute(x: i32[n], z: i64[n], u: u32[n], out a: f32[n], out b: f32[n], out d: f32[n], out e: f16[n])
{
	map a[i] = f32(u32(abs(x[i])));
	map b[i] = f32(u64(abs(z[i]))) + f32(u64(u32(abs(x[i]))));
	map d[i] = f32(u32(x[i] < 0 ? -x[i] : x[i])) + f32(u32(max(x[i], -x[i])));
	map e[i] = f16(u32(abs(x[i] >> 16)));
}

test of_minima {
	minima(x = [1, -1, -2147483648, 7], y = [5, 2, -2147483648, -7], z = [3, -3, 0, 1], s = [1, -32768, 0, 5],
	       u = [1, 0, 5, 7], c = 9)
		-> a = [-1, 1, -2147483648, -7], b = [5, 2, -2147483648, -7], d = [-5, -2, -2147483648, -7],
		   f = [-1, 1, 0, -7];
}
test of_absolute {
	absolute(x = [-2147483648, 0, -5], z = [-5, 0, 5], u = [0, 0, 0]) -> a = [2147483648.0, 0.0, 5.0];
}
