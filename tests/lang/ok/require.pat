// require: conditions on a call, tested by it and used by proofs
struct Box { lo, hi: f32 }

fn even(n: i64) -> bool = n % 2 == 0;

op first(a: Box, b: Box) -> Box = Box(min(a.lo, b.lo), max(a.hi, b.hi)) associative, commutative;

// inside by the conditions: not tested
kernel last(k: i32, x: f32[n], out y: f32[n]) {
	require n >= 1, 0 <= k && k < n;
	map y[i] = x[k] + x[n - 1];
}

// not empty by the conditions: the operator has no identity
kernel hull(x: Box[n], out all: Box) {
	require n > 2;
	reduce all = first[i](x[i]);
}

// the second half lies inside by the condition
kernel fold_over(size half: i64, inout x: f64[n]) {
	require n == 2 * half, even(n);
	gather x[i] += x[i + half] for i in 0..half;
}

kernel stepped(on: bool, dt: f32, steps: i32, inout x: f32[n]) {
	require dt * dt <= 4, on || steps == 0, steps < 4;
	repeat t < steps {
		map x[i] = x[i] - dt * x[i];
	}
}

// scalars alone
kernel scalar(a: i32, b: i64, out s: i64) {
	require a != b, min(i64(a), b) >= -3;
	map s = a * b;
}

kernel grouped(size width: i64, x: f32[n], out longest: f32) {
	require width >= 1, n % width == 0;
	let sums: f32[width];
	reduce sums[j] = sum[i in 0..n where i % width == j](x[i] * x[i]) for j in 0..width;
	reduce longest = max[j](sums[j]);
}

kernel counted(size n: i64, out y: i64[n], size m: i64, out z: i64[m]) {
	map y[i] = i;
	map z[i] = m - i;
}

test refuses {
	last(k = 1, x = [1, 2]) -> y = [4, 4];
	last(k = 2, x = [1, 2]) -> status required;
	last(k = 0, n = 0) -> status required;
	last(k = -1, n = -1) -> status size;
	hull(x = [Box(1, 2), Box(0, 1), Box(3, 4)]) -> all = Box(0, 4);
	hull(x = [Box(1, 2)]) -> status required;
	fold_over(half = 1, x = [1, 2, 3]) -> status required;
	fold_over(half = 2, x = [1, 2, 3, 4]) -> x = [4, 6, 3, 4];
	stepped(on = true, dt = 1, steps = 1, x = [1]) -> x = [0];
	stepped(on = false, dt = 1, steps = 1, x = [1]) -> status required;
	stepped(on = false, dt = 3, steps = 0, x = [1]) -> status required;
	stepped(on = true, dt = random, steps = random, n = 5, x = 1);
	scalar(a = 1, b = 1) -> status required;
	scalar(a = -3, b = 2) -> s = -6;
	grouped(width = 2, x = [1, 2, 3, 4]) -> longest = 20;
	grouped(width = 2, x = [1, 2, 3]) -> status required;
	grouped(width = 0, x = [1]) -> status required;
	counted(n = 2, m = 1) -> y = [0, 1], z = [1];
	counted(n = -2, m = 1) -> status size;
}
