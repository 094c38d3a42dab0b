// Particles in cells: the four charges at the corners of its cell push a particle, for a step of time; the space is a torus
const DT: f64 = 1;
struct Force { x, y: f64 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y) identity Force(0, 0),
	associative, commutative;

// of the charge q2 at (dx, dy) from there, on the charge q1
fn coulomb(dx: f64, dy: f64, q1: f64, q2: f64) -> Force {
	let r2 = dx * dx + dy * dy;
	let f = q1 * q2 / (r2 * sqrt(r2));
	return Force(f * dx, f * dy);
}

kernel pic(steps: i64, Q: f64[n, n], q: f64[m], inout x: f64[m], inout y: f64[m], inout vx: f64[m],
           inout vy: f64[m]) {
	require n >= 2;
	let a: Force[m];
	let L: f64 = f64(n - 1);
	repeat t < steps {
		gather a[p] = plus(
			plus(coulomb(x[p] - floor(x[p]), y[p] - floor(y[p]), q[p],
				Q[i64(y[p]), i64(x[p])]),
			     coulomb(x[p] - floor(x[p]), y[p] - floor(y[p]) - 1, q[p],
			         Q[i64(y[p]) + 1, i64(x[p])])),
			plus(coulomb(x[p] - floor(x[p]) - 1, y[p] - floor(y[p]), q[p],
				Q[i64(y[p]), i64(x[p]) + 1]),
			     coulomb(x[p] - floor(x[p]) - 1, y[p] - floor(y[p]) - 1, q[p],
			         Q[i64(y[p]) + 1, i64(x[p]) + 1])));
		map x[p] = fmod(x[p] + vx[p] * DT + 0.5 * a[p].x * DT * DT + L, L),
			vx[p] += a[p].x * DT;
		map y[p] = fmod(y[p] + vy[p] * DT + 0.5 * a[p].y * DT * DT + L, L),
			vy[p] += a[p].y * DT;
	}
}
