// mirrored.pat - pairs whose term for (j, i) is the negative of the one for (i, j), from cheap to
// expensive: with mirrored.sched each is computed once.
struct Mass { x, y, z, m: f32 }
struct Pull { x, y, z: f32 }
op add(a: Pull, b: Pull) -> Pull = Pull(a.x + b.x, a.y + b.y, a.z + b.z)
	identity Pull(0, 0, 0), associative, commutative;
fn attract(p: Mass, q: Mass, soft: f32) -> Pull {
	let x = q.x - p.x;
	let y = q.y - p.y;
	let z = q.z - p.z;
	let r = rsqrt(x * x + y * y + z * z + soft);
	let s = p.m * q.m * (r * r * r);
	return Pull(s * x, s * y, s * z);
}
kernel mirrored_gravity(p: Mass[n], soft: f32, out f: Pull[n]) {
	pairs f[i] = add[j](attract(p[i], p[j], soft)) approx;
}
// screened charges: erfc, exp, rsqrt
fn repel(p: Mass, q: Mass, kappa: f32) -> Pull {
	let x = p.x - q.x;
	let y = p.y - q.y;
	let z = p.z - q.z;
	let square = x * x + y * y + z * z + 0.0001;
	let r = rsqrt(square);
	let far = kappa * square * r;
	let s = p.m * q.m * (erfc(far) * r + 1.1283792 * kappa * exp(-far * far)) * r * r;
	return Pull(s * x, s * y, s * z);
}
kernel mirrored_charges(p: Mass[n], kappa: f32, out f: Pull[n]) {
	pairs f[i] = add[j where i != j](repel(p[i], p[j], kappa));
}
kernel mirrored_phases(theta: f32[n], out rate: f32[n]) {
	pairs rate[i] = sum[j](sin(theta[j] - theta[i]));
}
