// reduce.pat - folds to a scalar, along rows and along columns; rows folded and mapped.
kernel sum_f32(x: f32[n], out s: f32)
{
	reduce s = sum[i](x[i]);
}

kernel sum_f64(x: f64[n], out s: f64)
{
	reduce s = sum[i](x[i]);
}

kernel sum_i32(x: i32[n], out s: i32)
{
	reduce s = sum[i](x[i]);
}

kernel sum_u8(x: u8[n], out s: i32)
{
	reduce s = sum[i](x[i]);
}

kernel max_f32(x: f32[n], out s: f32)
{
	reduce s = max[i](x[i]);
}

kernel dot_f32(x: f32[n], y: f32[n], out s: f32)
{
	reduce s = sum[i](x[i] * y[i]);
}

kernel rows(a: f32[n, m], out s: f32[n])
{
	reduce s[i] = sum[j](a[i, j]);
}

kernel columns(a: f32[n, m], out s: f32[m])
{
	reduce s[j] = sum[i](a[i, j]);
}

kernel softmax(x: f32[n, m], out y: f32[n, m])
{
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map y[i, j] = exp(x[i, j] - top[i]) / total[i];
}

kernel normalise(x: f32[n, m], out y: f32[n, m])
{
	let mean: f32[n];
	let scale: f32[n];
	reduce mean[i] = sum[j](x[i, j]) / m;
	reduce scale[i] = rsqrt(sum[j]((x[i, j] - mean[i]) * (x[i, j] - mean[i])) / m + 1e-5);
	map y[i, j] = (x[i, j] - mean[i]) * scale[i];
}

// Gravity between all bodies, softened; m: its mass.
struct Body { x, y, z, m: f32 }
struct Force { x, y, z: f32 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y, a.z + b.z)
	identity Force(0, 0, 0), associative, commutative;

fn pull(p: Body, q: Body) -> Force {
	let dx = q.x - p.x;
	let dy = q.y - p.y;
	let dz = q.z - p.z;
	let near = rsqrt(0.01 + dx * dx + dy * dy + dz * dz);
	let s = q.m * near * near * near;
	return Force(s * dx, s * dy, s * dz);
}

kernel gravity(p: Body[n], out f: Force[n])
{
	pairs f[i] = plus[j](pull(p[i], p[j])) approx;
}

// Of bodies nearer than rc alone, and how many those are.
kernel near_gravity(p: Body[n], rc: f32, out f: Force[n])
{
	pairs f[i] = plus[j](pull(p[i], p[j])) within rc of (x, y, z) approx;
}

kernel near_bodies(p: Body[n], rc: f32, out c: i64[n])
{
	pairs c[i] = count[j](true) within rc of (x, y, z);
}

// How far the nearest of m points is from each of n.
kernel nearest(x: f32[n], y: f32[n], u: f32[m], v: f32[m], out d: f32[n], out at: i64[n])
{
	pairs d[i], at[i] = argmin[j]((x[i] - u[j]) * (x[i] - u[j])
		+ (y[i] - v[j]) * (y[i] - v[j]));
}
