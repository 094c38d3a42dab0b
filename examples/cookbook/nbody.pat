// nbody.pat - bodies that attract each other, all pairs (CUDA's samples, Futhark's examples).
// Patterns: repeat, pairs with an operator, map.
struct Body { x, y, z, mass: f32 }
struct Vector { x, y, z: f32 }
op plus(a: Vector, b: Vector) -> Vector = Vector(a.x + b.x, a.y + b.y, a.z + b.z)
	identity Vector(0, 0, 0), associative, commutative;
fn pulled(dx: f32, dy: f32, dz: f32, s: f32) -> Vector = Vector(s * dx, s * dy, s * dz);
fn pull(p: Body, q: Body, soft: f32) -> Vector {
	let dx = q.x - p.x;
	let dy = q.y - p.y;
	let dz = q.z - p.z;
	let r = rsqrt(dx * dx + dy * dy + dz * dz + soft);
	return pulled(dx, dy, dz, q.mass * r * r * r);
}

kernel nbody(steps: i64, dt: f32, soft: f32, inout body: Body[n], inout speed: Vector[n]) {
	require soft > 0;
	let force: Vector[n];
	repeat t < steps {
		pairs force[i] = plus[j](pull(body[i], body[j], soft));
		map speed[i] = Vector(speed[i].x + dt * force[i].x, speed[i].y + dt * force[i].y,
				speed[i].z + dt * force[i].z);
		map body[i] = Body(body[i].x + dt * speed[i].x, body[i].y + dt * speed[i].y,
				body[i].z + dt * speed[i].z, body[i].mass);
	}
}

test known {
	nbody(steps = 1, dt = 1, soft = 3, body = [Body(0, 0, 0, 1), Body(1, 0, 0, 1)],
		speed = [Vector(0, 0, 0), Vector(0, 0, 0)])
		-> body = [Body(0.125, 0, 0, 1), Body(0.875, 0, 0, 1)];
}
