// Tests in programs: every form of a value, and `test` as a name of other things.
struct P { x, y: f32, c: u8 }
struct Cell { f: f32[3], k: i16 }
const test: f32 = 2;
const HALF: f32 = 0.5;
fn twice(x: f32) -> f32 = test * x;

kernel saxpy(a: f32, x: f32[n], inout y: f32[n]) {
	test: map y[i] = a * x[i] + y[i];
}
kernel rows(x: f64[n, m], out s: f64[n], out total: f64) {
	reduce s[i] = sum[j](x[i, j]);
	reduce total = sum[i, j](x[i, j]);
}
kernel lift(p: P[n], inout q: Cell[n], out b: bool[n]) {
	map q[i].k = q[i].k + 1;
	map b[i] = p[i].x > 0;
}
kernel ints(a: i8[n], b: u64[n], out c: i8[n], out d: u64[n+1]) {
	map c[i] = a[i];
	map d[i] = b[i] + 1 for i in 0..n;
}
kernel halves(x: f16[n], out y: bf16[n], out z: f16[n]) {
	map y[i] = bf16(x[i]);
	map z[i] = x[i] + 1;
}
kernel places(a: f32[n, m] layout row(ld), p: P[n] layout soa, out b: f32[n, m] layout col(lb),
              out q: P[n] layout aosoa(4)) {
	map b[i, j] = a[i, j];
	map q[i] = p[i];
}

test wherever_the_caller_has_them {
	places(a = [[1, 2, 3], [4, 5, 6]], p = P(1, 2, 3)) -> b = [[1, 2, 3], [4, 5, 6]], q = P(1, 2, 3);
	places(n = 2, m = 3, ld = 2, lb = 2, a = 1, p = P(1, 2, 3)) -> status ld;
}
test halves_of_both_kinds {
	halves(x = [1, 0.1, 65504, -inf]) -> y = [1, 0.1, 65536, -inf], z = [2, 1.1, 65504, -inf];
	halves(x = 0.333, n = 3) -> y = 0.333 within 1e-2;
}
test scalars_and_lists {
	saxpy(a = 2, x = [1, 2, 3], y = 0) -> y = [2, 4, 6];
	saxpy(a = 0.1, x = [0.1, 1e10, -3], y = [0, 0, 0]) -> y = [0.01, 1e9, -0.3];
	saxpy(a = twice(HALF), x = [twice(3), 1 / 4, inf, nan], y = 1) -> y = [7, 1.25, inf, nan];
	saxpy(n = 5, a = random, x = random, y = random);
	saxpy(n = 3, a = 0, x = 0, y = random);
	saxpy(n = 0, a = 1);
	saxpy(a = 1, x = [3.14159265], y = 0) -> y = 3.1416 within 1e-5;
	saxpy(a = 1, x = [314159.265], y = 0) -> y = [314160] within 1e-5;
	saxpy(n = -1, a = 1) -> status size;
	saxpy(n = 4611686018427387904, a = 1) -> status shape;
}
test tables_of_numbers {
	rows(x = [[1, 2], [3, 4], [5, 6]]) -> s = [3, 7, 11], total = 21;
	rows(n = 2, m = 0) -> s = 0, total = 0;
	rows(n = 2, x = [[1], [2]]) -> total = 3;
	ints(a = [-128, 127], b = [18446744073709551614, 0]) -> c = [-128, 127];
	ints(n = 1, a = 5, b = 1, d = [7, 9]) -> d = [2, 9];
}
test structs {
	lift(p = [P(1, 2, 255), P(-1, 0, 0)], q = [Cell([1, 2, 3], -5), Cell([0, 0, 0], 32767)])
		-> q = [Cell([1, 2, 3], -4), Cell([0, 0, 0], -32768)], b = [true, false];
	lift(n = 3, p = P(1, 2, 3), q = Cell([1, HALF, twice(2)], 0)) -> q = Cell([1, 0.5, 4], 1), b = true;
}
test leaves refused P0401 {
	kernel f(x: f32[n], out y: f32[n]) {
		stencil y[i] = twice(x[i+1]);
	}
}
test wrong_type refused P0206 {
	fn g(x: f32) -> i32 = x;

	kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
}
