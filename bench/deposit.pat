// deposit.pat - bodies give their charges to the 4 or 8 cells around them (cloud in cell); places are
// 32-bit fractions of the box.  With deposit.sched a thread adds a body's charges to memory itself.
fn cell(x: u32, n: i64) -> i64 = i64(x) * (n - 1) >> 32;
fn part(x: u32, n: i64) -> f32 = f32(i64(x) * (n - 1) & 4294967295) / 4294967296;
fn share(x: u32, n: i64, a: i64) -> f32 = a == 0 ? 1 - part(x, n) : part(x, n);
kernel deposit_plane(x: u32[k], y: u32[k], q: f32[k], inout rho: f32[n, m]) {
	scatter rho[cell(x[p], n) + a, cell(y[p], m) + b] +=
		q[p] * share(x[p], n, a) * share(y[p], m, b) for p in 0..k, a in 0..2, b in 0..2;
}
kernel deposit_space(x: u32[k], y: u32[k], z: u32[k], q: f32[k], inout rho: f32[n, m, l]) {
	scatter rho[cell(x[p], n) + a, cell(y[p], m) + b, cell(z[p], l) + c] +=
		q[p] * share(x[p], n, a) * share(y[p], m, b) * share(z[p], l, c)
		for p in 0..k, a in 0..2, b in 0..2, c in 0..2;
}
