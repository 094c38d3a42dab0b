// barnes_hut.pat - two galaxies collide.  Each body is drawn by all others, of which those far
// away count as one, in the middle of their mass (J. Barnes, P. Hut, Nature 324, 1986).

use "../common/tree.pat";

struct Body { x, y, z, u, v, w, mass: f32 }     // where it is, how fast it moves
struct Pull { x, y, z: f32 }
// A run of neighbours in the tree, as one body; `wide` is its side squared.
struct Node { left, last: i32, x, y, z, mass, wide: f32 }

const SOFT: f32 = 0.1;                          // nearer than this, bodies pass through each other

op toward(a: Pull, b: Pull) -> Pull = Pull(a.x + b.x, a.y + b.y, a.z + b.z)
	identity Pull(0, 0, 0), assume associative, assume commutative;

// What a mass draws a body with that is so far away.
fn pull(x: f32, y: f32, z: f32, mass: f32) -> Pull {
	let d = x * x + y * y + z * z + SOFT * SOFT;
	let s = mass / (d * sqrt(d));
	return Pull(s * x, s * y, s * z);
}

// Through the tree, into the nodes whose side is more than `open` of their distance.
fn drawn(b: Body, node: Node[n], body: Body[n], after: i32[n], open: f32) -> Pull {
	var sum: Pull = Pull(0, 0, 0);
	var at: i32 = n > 1 ? 0 : -1;
	while at >= 0 at most (2 * n) {
		if at >= n - 1 {
			let leaf = body[i64(at) - (n - 1)];
			sum = toward(sum, pull(leaf.x - b.x, leaf.y - b.y, leaf.z - b.z,
				leaf.mass));
			at = after[i64(at) - (n - 1)];
		} else {
			let far = node[at];
			let x = far.x - b.x;
			let y = far.y - b.y;
			let z = far.z - b.z;
			if far.wide < open * open * (x * x + y * y + z * z) {
				sum = toward(sum, pull(x, y, z, far.mass));
				at = after[far.last];
			} else {
				at = far.left;
			}
		}
	}
	return sum;
}

fn part(upto: f64[n], s: Span) -> f64 {
	return upto[s.last] - (s.first > 0 ? upto[s.first - 1] : 0);
}
// The masses up to each body, and those times their places, give the middle of every run.
fn middle(mass: f64[n], x: f64[n], y: f64[n], z: f64[n], s: Span, left: i32, box: f32) -> Node {
	let m = part(mass, s);
	let side = box * exp2(-f32(s.bits / 3));
	return Node(left, s.last, f32(part(x, s) / m), f32(part(y, s) / m), f32(part(z, s) / m),
		f32(m), side * side);
}

// How all bodies are drawn; a node counts as one if its side is below `open` of its distance.
kernel gravity(body: Body[n], open: f32, out draw: Pull[n])
{
	let lx: f32;
	let ly: f32;
	let lz: f32;
	let box: f32;
	reduce lx = min[k](body[k].x);
	reduce ly = min[k](body[k].y);
	reduce lz = min[k](body[k].z);
	reduce box = max[k](max(body[k].x - lx, body[k].y - ly, body[k].z - lz));

	let key: u64[n];
	let order: i32[n];
	map key[k] = morton((body[k].x - lx) / box, (body[k].y - ly) / box, (body[k].z - lz) / box);
	map order[k] = i32(k);
	sort key with order;
	let near: Body[n];
	gather near[k] = body[order[k]];

	let span: Span[n];
	let after: i32[n];
	tree_build(key, span, after);
	let mass: f64[n];
	let x: f64[n];
	let y: f64[n];
	let z: f64[n];
	scan mass[k] = sum(f64(near[k].mass));
	scan x[k] = sum(f64(near[k].mass) * near[k].x);
	scan y[k] = sum(f64(near[k].mass) * near[k].y);
	scan z[k] = sum(f64(near[k].mass) * near[k].z);
	let node: Node[n];
	map node[i] = middle(mass, x, y, z, span[i], left_child(span[i], n), box);

	let drawn_near: Pull[n];
	map drawn_near[k] = drawn(near[k], node, near, after, open);
	scatter draw[order[k]] = drawn_near[k] unique;
}

// The same of all pairs.
kernel pairwise(body: Body[n], out draw: Pull[n])
{
	pairs draw[i] = toward[j](pull(body[j].x - body[i].x, body[j].y - body[i].y,
	                               body[j].z - body[i].z, body[j].mass));
}

fn kicked(b: Body, p: Pull, dt: f32) -> Body =
	Body(b.x, b.y, b.z, b.u + dt * p.x, b.v + dt * p.y, b.w + dt * p.z, b.mass);
fn drifted(b: Body, dt: f32) -> Body =
	Body(b.x + dt * b.u, b.y + dt * b.v, b.z + dt * b.w, b.u, b.v, b.w, b.mass);

// Half a step of their ways, what draws them there, and the other half (leapfrog).
kernel move(steps: i64, dt: f32, open: f32, inout body: Body[n])
{
	repeat t < steps {
		let draw: Pull[n];
		map body[k] = drifted(body[k], dt / 2);
		gravity(body, open, draw);
		map body[k] = drifted(kicked(body[k], draw[k], dt), dt / 2);
	}
}

fn speed(b: Body) -> f32 = b.u * b.u + b.v * b.v + b.w * b.w;
// How deep a mass sits in the field of another, as a part of it.
fn depth_of(a: Body, b: Body) -> f32 {
	let x = a.x - b.x;
	let y = a.y - b.y;
	let z = a.z - b.z;
	return b.mass / sqrt(x * x + y * y + z * z + SOFT * SOFT);
}

// Of motion and of all pairs, each counted from both sides.
kernel energy(body: Body[n], out total: f64)
{
	let depth: f32[n];
	pairs depth[i] = sum[j where i != j](depth_of(body[i], body[j]));
	reduce total = sum[k](0.5 * f64(body[k].mass) * (f64(speed(body[k])) - f64(depth[k])));
}

// The sky, h x w pixels, `wide` each, the middle in the middle.
fn pixel(x: f32, wide: f32, n: i64) -> i64 = i64(floor(x / wide)) + n / 2;
kernel look(body: Body[n], wide: f32, out sky: f32[h, w])
{
	map sky[i, j] = 0;
	scatter sky[pixel(body[k].y, wide, h), pixel(body[k].x, wide, w)] += body[k].mass drop;
}

test two {
	gravity(body = [Body(0, 0, 0, 0, 0, 0, 1), Body(2, 0, 0, 0, 0, 0, 3)], open = 0.5)
		-> draw = [Pull(0.7472, 0, 0), Pull(-0.2491, 0, 0)] within 1e-3;
}
test random {
	gravity(body = random, open = 0.5, n = 40);
	pairwise(body = random, n = 40);
}
