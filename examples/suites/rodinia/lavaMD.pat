// The forces between particles in boxes: those of a box meet those of the boxes around it, and of itself
struct Four { v, x, y, z: f64 }
op plus(a: Four, b: Four) -> Four = Four(a.v + b.v, a.x + b.x, a.y + b.y, a.z + b.z)
	identity Four(0, 0, 0, 0), associative, commutative;

// of the charge q at b, on the particle at a; v is half of its distance squared, as it comes with each particle
fn force(alpha: f64, a: Four, b: Four, q: f64) -> Four {
	let r2 = a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z);
	let vij = exp(-2 * alpha * alpha * r2);
	let s = 2 * vij * q;
	return Four(q * vij, s * (a.x - b.x), s * (a.y - b.y), s * (a.z - b.z));
}
fn four(v: f64, x: f64, y: f64, z: f64) -> Four = Four(v, x, y, z);

kernel lavaMD(alpha: f64, count_: i32[boxes], near: i32[boxes, 27], rv: f64[boxes, par, 4],
              qv: f64[boxes, par],
              out fv: f64[boxes, par, 4]) {
	let f: Four[boxes, par];
	reduce f[b, i] = plus[k in 0..i64(count_[b]), j in 0..par](force(alpha,
		four(rv[b, i, 0], rv[b, i, 1], rv[b, i, 2], rv[b, i, 3]),
		four(rv[near[b, k], j, 0], rv[near[b, k], j, 1], rv[near[b, k], j, 2],
			rv[near[b, k], j, 3]), qv[near[b, k], j]));
	map fv[b, i, 0] = f[b, i].v;
	map fv[b, i, 1] = f[b, i].x;
	map fv[b, i, 2] = f[b, i].y;
	map fv[b, i, 3] = f[b, i].z;
}
