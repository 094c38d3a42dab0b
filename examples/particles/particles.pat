// particles.pat - stars on their ways round the middle of a galaxy, whose matter they feel as a
// whole: its speed is the same everywhere but in its core, so that what lies near the middle is
// round sooner.

struct Star { x, y, z, u, v, w, mass: f32 }     // where it is, how fast it moves

const CORE: f32 = 0.2;
fn squared(s: Star) -> f32 = s.x * s.x + s.y * s.y + s.z * s.z + CORE * CORE;
fn energy(s: Star) -> f32 = 0.5 * s.mass * (s.u * s.u + s.v * s.v + s.w * s.w + log(squared(s)));

// Half of its way, what pulls it there, and the other half (leapfrog).
fn drift(s: Star, dt: f32) -> Star =
	Star(s.x + dt * s.u, s.y + dt * s.v, s.z + dt * s.w, s.u, s.v, s.w, s.mass);
fn kick(s: Star, pull: f32) -> Star =
	Star(s.x, s.y, s.z, s.u - pull * s.x, s.v - pull * s.y, s.w - pull * s.z, s.mass);
fn step(s: Star, dt: f32) -> Star {
	let half = drift(s, dt / 2);
	return drift(kick(half, dt / squared(half)), dt / 2);
}

kernel move(steps: i64, dt: f32, inout star: Star[n], out total: f64)
{
	repeat t < steps { map star[k] = step(star[k], dt); }
	reduce total = sum[k](f64(energy(star[k])));
}

// The sky from above, h x w pixels, `wide` each, the middle in the middle.
fn pixel(x: f32, wide: f32, n: i64) -> i64 = i64(floor(x / wide)) + n / 2;
kernel look(star: Star[n], wide: f32, out sky: f32[h, w])
{
	map sky[i, j] = 0;
	scatter sky[pixel(star[k].y, wide, h), pixel(star[k].x, wide, w)] += star[k].mass drop;
}
