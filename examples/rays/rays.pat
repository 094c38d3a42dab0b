// rays.pat - a picture by rays of light.  A tree of boxes over the triangles of the scene says
// which of them a ray can meet; a function walks through it, from one box to the next, without a
// stack.  Light that a surface throws back goes on in a direction by chance, and is followed, too.

use "../common/tree.pat";
use "../common/philox.pat";

struct Point { x, y, z: f32 }                   // a place, a direction, or a colour
struct Ray { from, way: Point }                 // without a way, there is none
struct Tri { a, b, c: Point }
struct Box { lo, hi: Point }
// Nodes of the tree, depth first: the triangle, or -1, and the place of the first node not in it.
struct Node { box: Box, tri, past: i32 }
// Where a ray meets the scene first: after t times its way, on a triangle (-1: nowhere).
struct Hit { t: f32, tri: i32 }
// A ray, what part of its light comes to the eye, and the light that has come there.
struct Path { ray: Ray, weight, light: Point }
struct Pixel { red, green, blue: u8 }

fn plus(a: Point, b: Point) -> Point = Point(a.x + b.x, a.y + b.y, a.z + b.z);
fn minus(a: Point, b: Point) -> Point = Point(a.x - b.x, a.y - b.y, a.z - b.z);
fn times(a: Point, b: Point) -> Point = Point(a.x * b.x, a.y * b.y, a.z * b.z);
fn scaled(a: Point, s: f32) -> Point = Point(s * a.x, s * a.y, s * a.z);
fn dot(a: Point, b: Point) -> f32 = a.x * b.x + a.y * b.y + a.z * b.z;
fn cross(a: Point, b: Point) -> Point =
	Point(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
fn unit(a: Point) -> Point = scaled(a, 1 / sqrt(dot(a, a)));
fn lower(a: Point, b: Point) -> Point = Point(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z));
fn upper(a: Point, b: Point) -> Point = Point(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z));

// ---- the tree ----

op around(a: Box, b: Box) -> Box = Box(lower(a.lo, b.lo), upper(a.hi, b.hi))
	identity Box(Point(inf, inf, inf), Point(-inf, -inf, -inf)),
	assume associative, assume commutative;

// A little wider than the triangle: a ray that meets it must not miss the box by rounding.
const SLACK: f32 = 1e-4;
fn box_of(t: Tri) -> Box {
	let lo: Point = lower(t.a, lower(t.b, t.c));
	let hi: Point = upper(t.a, upper(t.b, t.c));
	return Box(Point(lo.x - SLACK, lo.y - SLACK, lo.z - SLACK),
		Point(hi.x + SLACK, hi.y + SLACK, hi.z + SLACK));
}
fn key_of(t: Tri, all: Box) -> u64 {
	let side: Point = minus(all.hi, all.lo);
	let b: Box = box_of(t);
	let middle: Point = scaled(minus(plus(b.lo, b.hi), scaled(all.lo, 2)), 0.5);
	return morton(middle.x / side.x, middle.y / side.y, middle.z / side.z);
}

// The node at place p: a box that has its triangle, or has nothing yet.
fn node_at(near: Tri[n], p: i64, place: u64) -> Node {
	let first = first_at(place);
	let points = points_at(place, n);
	if points == 1 { return Node(box_of(near[first]), first, i32(p) + 1); }
	let nothing = Box(Point(inf, inf, inf), Point(-inf, -inf, -inf));
	return Node(nothing, -1, i32(p) + 2 * points - 1);
}
// The first child of an inner node comes after it, and the second one after what is in that.
fn joined(node: Node[k], p: i64) -> Node {
	var own: Node = node[p];
	if own.tri < 0 { own.box = around(node[p + 1].box, node[node[p + 1].past].box); }
	return own;
}

// The tree, and the triangles in its order, with their colours.
kernel build(tri: Tri[n], paint: Point[n], out node: Node[2 * n - 1], out near: Tri[n],
             out colour: Point[n])
{
	let all: Box;
	reduce all = around[k](box_of(tri[k]));
	let key: u64[n];
	let order: i32[n];
	map key[k] = key_of(tri[k], all);
	map order[k] = i32(k);
	sort key with order;
	gather near[k] = tri[order[k]];
	gather colour[k] = paint[order[k]];

	let place: u64[2 * n - 1];
	tree_places(key, place);
	map node[p] = node_at(near, p, place[p]);

	// in each pass a box becomes as large as those of its children, until none grows
	let larger: Node[2 * n - 1];
	let grew: i64;
	repeat until grew == 0 at most 128 {
		map larger[p] = joined(node, p);
		reduce grew = count[p](larger[p] != node[p]);
		map node[p] = larger[p];
	}
}

// ---- rays ----

const NEAR: f32 = 1e-3;                         // what is nearer is where the ray comes from

// How far the ray goes to the triangle (T. Moeller, B. Trumbore 1997); inf: they do not meet.
fn distance(r: Ray, t: Tri) -> f32 {
	let ab: Point = minus(t.b, t.a);
	let ac: Point = minus(t.c, t.a);
	let p: Point = cross(r.way, ac);
	let s: Point = minus(r.from, t.a);
	let q: Point = cross(s, ab);
	let f = 1 / dot(ab, p);
	let u = f * dot(s, p);
	let v = f * dot(r.way, q);
	let far = f * dot(ac, q);
	return u >= 0 && v >= 0 && u + v <= 1 && far > NEAR ? far : inf;
}

// Does the ray meet the box before it has gone so far?  `by`: one over its way.
fn meets(r: Ray, by: Point, b: Box, far: f32) -> bool {
	let lo: Point = times(minus(b.lo, r.from), by);
	let hi: Point = times(minus(b.hi, r.from), by);
	let first: Point = lower(lo, hi);
	let last: Point = upper(lo, hi);
	return max(first.x, first.y, first.z, 0) <= min(last.x, last.y, last.z, far);
}

op nearest(a: Hit, b: Hit) -> Hit = a.t < b.t || (a.t == b.t && a.tri < b.tri) ? a : b
	assume identity Hit(inf, -1), assume associative, assume commutative;

fn seen(r: Ray, node: Node[k], tri: Tri[n]) -> Hit {
	let by: Point = Point(1 / r.way.x, 1 / r.way.y, 1 / r.way.z);
	var h: Hit = Hit(inf, -1);
	var at: i32 = dot(r.way, r.way) > 0 ? 0 : i32(k);
	while i64(at) < k at most k {
		let here = node[at];
		let met = meets(r, by, here.box, h.t);
		if met && here.tri >= 0 {
			h = nearest(h, Hit(distance(r, tri[here.tri]), here.tri));
		}
		at = met ? at + 1 : here.past;
	}
	return h;
}

// A thread a ray.
kernel cast(ray: Ray[m], node: Node[k], tri: Tri[n], out hit: Hit[m]) {
	map hit[i] = seen(ray[i], node, tri);
}
// Lanes whose rays have ended take the next ones.
kernel cast_refill(ray: Ray[m], node: Node[k], tri: Tri[n], out hit: Hit[m]) {
	rays: map hit[i] = seen(ray[i], node, tri);
}
schedule cast_refill for cuda { rays: walk refill; }
schedule cast_refill for hip { rays: walk refill; }
// The lanes of a warp are at one node, or wait.
kernel cast_packet(ray: Ray[m], node: Node[k], tri: Tri[n], out hit: Hit[m]) {
	rays: map hit[i] = seen(ray[i], node, tri);
}
schedule cast_packet for cuda { rays: walk packet; }
schedule cast_packet for hip { rays: walk packet; }
// The same by all triangles.
kernel cast_at_all(ray: Ray[m], tri: Tri[n], out hit: Hit[m]) {
	reduce hit[i] = nearest[k](Hit(distance(ray[i], tri[k]), i32(k)));
}

// ---- light ----

// From the eye to pixel i of a picture that is `wide` pixels wide; where in it, chance says.
fn sight(eye: Point, toward: Point, i: i64, wide: i64, m: i64, chance: Random) -> Point {
	let ahead: Point = unit(minus(toward, eye));
	let right: Point = unit(cross(ahead, Point(0, 0, 1)));
	let up: Point = cross(right, ahead);
	let x = (f32(i % wide) + unit_f32(chance.a) - 0.5 * f32(wide)) / f32(wide);
	let y = (f32(i / wide) + unit_f32(chance.b) - 0.5 * f32(m / wide)) / f32(wide);
	return unit(plus(ahead, minus(scaled(right, x), scaled(up, y))));
}

// A direction away from the surface, by chance: as often as light from there counts, which is by
// the cosine of its angle.  That is one on the sphere which touches the surface.
fn thrown(normal: Point, chance: Random) -> Point {
	let z = 2 * unit_f32(chance.a) - 1;
	let turn = 6.2831853 * unit_f32(chance.b);
	let r = sqrt(max(1 - z * z, 0));
	return unit(plus(scaled(normal, 1.001), Point(r * cos(turn), r * sin(turn), z)));
}

// Where the ray goes on that met a triangle there.
fn bounced(r: Ray, t: f32, tri: Tri, chance: Random) -> Ray {
	let n: Point = unit(cross(minus(tri.b, tri.a), minus(tri.c, tri.a)));
	let facing: Point = scaled(n, dot(n, r.way) > 0 ? -1 : 1);
	return Ray(plus(r.from, scaled(r.way, t)), thrown(facing, chance));
}

fn sky(way: Point) -> Point {
	let sun = max(0.48 * way.x - 0.64 * way.y + 0.6 * way.z, 0);
	let glow = 7 * pow(sun, 16);
	let high = sqrt(max(way.z, 0));
	return plus(Point(0.75 - 0.6 * high, 0.8 - 0.45 * high, 0.95),
		Point(glow, 0.8 * glow, 0.5 * glow));
}

// A path goes on, or ends in the sky.
fn followed(p: Path, h: Hit, tri: Tri[n], colour: Point[n], chance: Random) -> Path {
	if h.tri < 0 {
		return Path(Ray(p.ray.from, Point(0, 0, 0)), Point(0, 0, 0),
			plus(p.light, times(p.weight, sky(p.ray.way))));
	}
	return Path(bounced(p.ray, h.t, tri[h.tri], chance), times(p.weight, colour[h.tri]),
		p.light);
}

fn shade(light: f32, samples: i64) -> u8 {
	let mean = light / f32(samples);
	return u8(255 * sqrt(mean / (mean + 0.5)));
}

// The rays from the eye, and those that surfaces throw back: for measurements.
kernel primary(eye: Point, toward: Point, wide: i64, out ray: Ray[m]) {
	map ray[i] = Ray(eye, sight(eye, toward, i, wide, m, random_words(u64(i), 0)));
}
fn next(r: Ray, h: Hit, tri: Tri[n], chance: Random) -> Ray {
	if h.tri < 0 { return Ray(r.from, Point(0, 0, 0)); }
	return bounced(r, h.t, tri[h.tri], chance);
}
kernel diffuse(ray: Ray[m], hit: Hit[m], tri: Tri[n], out thrown: Ray[m]) {
	map thrown[i] = next(ray[i], hit[i], tri, random_words(u64(i), 1));
}

// Of every pixel the mean of so many paths, which surfaces throw back so many times at most.
kernel look(eye: Point, toward: Point, wide: i64, samples: i64, bounces: i64, node: Node[k],
            tri: Tri[n], colour: Point[n], out pixel: Pixel[m])
{
	let path: Path[m];
	let hit: Hit[m];
	let light: Point[m];
	map light[i] = Point(0, 0, 0);
	repeat s < samples {
		map path[i] = Path(
			Ray(eye, sight(eye, toward, i, wide, m, random_words(u64(i), u64(s)))),
			Point(1, 1, 1), Point(0, 0, 0));
		repeat b < bounces + 1 {
			map hit[i] = seen(path[i].ray, node, tri);
			map path[i] = followed(path[i], hit[i], tri, colour,
				random_words(u64(i), u64(s) << 32 | u64(b + 1)));
		}
		map light[i] = plus(light[i], path[i].light);
	}
	map pixel[i] = Pixel(shade(light[i].x, samples), shade(light[i].y, samples),
		shade(light[i].z, samples));
}

// Three triangles, one above the other.
test three {
	build(tri = [Tri(Point(0, 0, 1), Point(1, 0, 1), Point(0, 1, 1)),
			Tri(Point(0, 0, 3), Point(1, 0, 3), Point(0, 1, 3)),
			Tri(Point(0, 0, 2), Point(1, 0, 2), Point(0, 1, 2))],
	      paint = [Point(1, 0, 0), Point(0, 1, 0), Point(0, 0, 1)])
		-> colour = [Point(1, 0, 0), Point(0, 0, 1), Point(0, 1, 0)];
}
// Two of them, and rays from above, from below and past them; the last is none.
test two {
	cast(node = [Node(Box(Point(0, 0, 1), Point(1, 1, 2)), -1, 3),
			Node(Box(Point(0, 0, 1), Point(1, 1, 1)), 0, 2),
			Node(Box(Point(0, 0, 2), Point(1, 1, 2)), 1, 3)],
	     tri = [Tri(Point(0, 0, 1), Point(1, 0, 1), Point(0, 1, 1)),
			Tri(Point(0, 0, 2), Point(1, 0, 2), Point(0, 1, 2))],
	     ray = [Ray(Point(0.25, 0.25, 4), Point(0, 0, -1)),
			Ray(Point(0.25, 0.25, 0), Point(0, 0, 2)),
			Ray(Point(0.75, 0.75, 0), Point(0, 0, 1)),
			Ray(Point(0, 0, 0), Point(0, 0, 0))])
		-> hit = [Hit(2, 1), Hit(0.5, 0), Hit(inf, -1), Hit(inf, -1)];
}
test chance {
	cast_at_all(ray = random, tri = random, m = 40, n = 30);
}
