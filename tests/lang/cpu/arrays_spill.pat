/* Arrays of functions that data index: they lie in the local memory of a GPU, so this program is compiled for a CPU.  Outside
 * of one a read is zero and an assignment does nothing. */
struct Pair { key: i16, value: f32 }

fn depth(code: u32) -> i32 {
	var open: u32[16] spill;
	var top: i32 = 0;
	var most: i32 = 0;
	for k in 0..16 {
		let c = code >> (2 * k) & 3;
		if c == 0 || top == 0 || open[top - 1] != c {
			open[top] = c;
			top += 1;
		} else {
			top -= 1;
		}
		most = max(most, top);
	}
	return most;
}
/* The primes below n. */
fn primes(n: i64) -> i64 {
	var no: bool[40] spill;
	var count: i64 = 0;
	for p in 2..min(n, 40) {
		if no[p] { continue; }
		count += 1;
		var q = p * p;
		while q < 1000 { no[q] = true; q += p; }
	}
	return count;
}
fn outside(i: i64, j: i64) -> i64 {
	var m: i64[2, 3] spill;
	m[i, j] = 5;
	m[i, j] += 2;
	var s: i64 = 0;
	for a in -1..4 { for b in -2..5 { s += m[a, b] * (10 * (a + 1) + b + 3); } }
	return s + 1000 * m[i - 1, j + 1] + m[i, j + i64.max];
}
fn table(x: f32, k: i32) -> f32 {
	var p: Pair[4] spill;
	var h: f16[4] spill;
	for t in 0..4 { p[(t * k) & 3].value += x + f32(t); p[t - k].key = i16(t); h[t] = f16(t); }
	let q = p[k];
	let all = p;
	let c = k < 2 ? h[k + 1] : h[1 - k];
	return q.value + f32(p[k - 1].key) * 10 + all[1].value + c + p[i64(x)].value;
}
kernel f(x: f32[n], code: u32[n], k: i32[n], out d: i32[n], out p: i64[n], out o: i64[n, 5], out t: f32[n]) {
	map d[i] = depth(code[i]);
	map p[i] = primes(i);
	map o[i, j] = outside(i - 1, j - 1);
	map t[i] = table(x[i], k[i]);
}
struct Eight { v: i32[8] }
fn at(v: i32[8], k: i32) -> i32 {
	var m: i32[8] spill;
	m = v;
	return m[k];
}
kernel digits(x: Eight[n], k: i32[n], out y: i32[n]) {
	map y[i] = at(x[i].v, k[i]);
}
test spilled {
	digits(x = [Eight([1, 2, 3, 4, 5, 6, 7, 8]), Eight([1, 2, 3, 4, 5, 6, 7, 8])], k = [7, 9]) -> y = [8, 0];
	f(x = [1, 1, 1], code = [0, 5, 0x1b], k = [0, 1, -3]) -> d = [16, 14, 16], p = [0, 0, 0],
		o = [[0, 0, 0, 0, 0], [0, 91, 98, 105, 0], [0, 161, 168, 175, 0]];
	digits(n = 300, x = random, k = random);
	f(n = 45, x = random, code = random, k = 1);
	f(n = 40, x = 2, code = 1, k = random);
}
