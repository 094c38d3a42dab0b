// spread.pat - items that go to several cells: what bench measures of scatters whose subscripts are
// sums of indices, computed by the cells, and beside them by atomic operations; and of bodies that
// are spread over the cells around them.
kernel spread_5(x: f32[n], w: f32[5], inout y: f32[n + 4]) {
	scatter y[i + j] += w[j] * x[i];
}
kernel spread_many(x: f32[n], w: f32[m], inout y: f32[n + m]) {
	scatter y[i + j] += w[j] * x[i];
}
kernel spread_f16(x: f16[n], inout y: f16[n + 4]) {
	scatter y[i + j] += x[i] for i in 0..n, j in 0..5;
}
kernel spread_3x3(x: f32[n, m], w: f32[3, 3], inout y: f32[n + 2, m + 2]) {
	scatter y[i + p, j + q] += w[p, q] * x[i, j];
}
kernel spread_7x7(x: f32[n, m], w: f32[7, 7], inout y: f32[n + 6, m + 6]) {
	scatter y[i + p, j + q] += w[p, q] * x[i, j];
}
kernel spread_max(x: f32[n, m], inout y: f32[n + 4, m + 4]) {
	scatter y[i + p, j + q] max= x[i, j] for i in 0..n, j in 0..m, p in 0..5, q in 0..5;
}
kernel spread_twice(x: f32[n], w: f32[4], inout y: f32[2*n + 2]) {
	scatter y[2*i + p] += w[p] * x[i];
}
kernel spread_fluxes(f: f32[n], inout u: f32[n + 1]) {
	scatter u[i] -= f[i], u[i + 1] += f[i] for i in 0..n;
}
kernel spread_diagonals(a: f32[n, m], inout d: f32[n + m]) {
	scatter d[i + j] += a[i, j];
}
fn pull(dx: f32, dy: f32) -> f32 = rsqrt(dx * dx + dy * dy + 0.1);
kernel spread_charges(x: f32[k], y: f32[k], q: f32[k], inout v: f32[n, m]) {
	scatter v[i, j] += q[c] * pull(x[c] - f32(i), y[c] - f32(j))
		for c in 0..k, i in 0..n, j in 0..m;
}

// The weights of a body at a distance d from a cell: quadratic splines.
fn weight(d: f32) -> f32 {
	let a = abs(d);
	return a < 0.5 ? 0.75 - a * a : a < 1.5 ? 0.5 * (1.5 - a) * (1.5 - a) : 0;
}
// x of -0.5 .. 0.5 in an array of n cells, more than one cell from its ends
fn place(x: f32, n: i64) -> f32 = 4 + (x + 0.5) * f32(n - 8);
kernel bodies_3x3(x: f32[k], y: f32[k], q: f32[k], inout rho: f32[n, m]) {
	scatter rho[i32(place(x[p], n)) + a, i32(place(y[p], m)) + b] +=
		q[p] * weight(place(x[p], n) - f32(i32(place(x[p], n)) + a))
		     * weight(place(y[p], m) - f32(i32(place(y[p], m)) + b))
		for p in 0..k, a in -1..2, b in -1..2;
}
kernel bodies_3x3x3(x: f32[k], y: f32[k], z: f32[k], q: f32[k], inout rho: f32[n, m, l]) {
	scatter rho[i32(place(x[p], n)) + a, i32(place(y[p], m)) + b, i32(place(z[p], l)) + c] +=
		q[p] * weight(place(x[p], n) - f32(i32(place(x[p], n)) + a))
		     * weight(place(y[p], m) - f32(i32(place(y[p], m)) + b))
		     * weight(place(z[p], l) - f32(i32(place(z[p], l)) + c))
		for p in 0..k, a in -1..2, b in -1..2, c in -1..2;
}
