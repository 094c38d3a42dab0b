// Alternating directions: tridiagonal systems down the columns, then along the rows, by recurrences there and back.
// p is the same in all columns, and in all rows.
kernel adi(tsteps: i64, inout u: f64[n, n], inout v: f64[n, n]) {
	require n >= 3;
	let p: f64[n];
	let q: f64[n, n];
	let dx: f64 = 1 / f64(n);
	let dt: f64 = 1 / f64(tsteps);
	let a: f64 = -dt / (dx * dx);
	let b: f64 = 1 + 2 * dt / (dx * dx);
	let d: f64 = -0.5 * dt / (dx * dx);
	let e: f64 = 1 + dt / (dx * dx);

	repeat t < tsteps {
		map p[0] = 0;
		wavefront p[j] = -a / (a * p[j-1] + b) for j in 1..n-1;
		scan q[j, i] = (-d * u[j, i-1] + (1 + 2 * d) * u[j, i] - d * u[j, i+1]
			- a * q[j-1, i]) / (a * p[j-1] + b)
			from 1 for j in 1..n-1, i in 1..n-1;
		map v[0, i] = 1 for i in 1..n-1;
		map v[n-1, i] = 1 for i in 1..n-1;
		scan v[j, i] = p[j] * v[j+1, i] + q[j, i] from 1 for j in 1..n-1, i in 1..n-1;

		wavefront p[j] = -d / (d * p[j-1] + e) for j in 1..n-1;
		scan q[i, j] = (-a * v[i-1, j] + (1 + 2 * a) * v[i, j] - a * v[i+1, j]
			- d * q[i, j-1]) / (d * p[j-1] + e)
			from 1 for i in 1..n-1, j in 1..n-1;
		map u[i, 0] = 1 for i in 1..n-1;
		map u[i, n-1] = 1 for i in 1..n-1;
		scan u[i, j] = p[j] * u[i, j+1] + q[i, j] from 1 for i in 1..n-1, j in 1..n-1;
	}
}
