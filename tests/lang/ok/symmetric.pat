// Pairs that are computed once for both of their results.
struct Body { x: f32, y: f32, mass: f32 }
struct Force { x: f32, y: f32, energy: f64 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y, a.energy + b.energy) identity Force(0, 0, 0), associative, commutative;
op widest(a: f32, b: f32) -> f32 = max(a, b) associative, commutative;
op xored(a: u32, b: u32) -> u32 = a ^ b identity 0, associative, commutative;
fn pull(p: Body, q: Body) -> Force {
	let dx = q.x - p.x;
	let dy = q.y - p.y;
	let r = rsqrt(dx * dx + dy * dy + 0.01);
	let s = p.mass * q.mass * r * r * r;
	return Force(s * dx, s * dy, f64(p.mass * q.mass * r));
}
// The components of a struct have signs of their own.
kernel sym_gravity(p: Body[n], out f: Force[n]) {
	all: pairs f[i] = plus[j where i != j](pull(p[i], p[j]));
}
schedule sym_gravity for cuda { all: symmetric; }
schedule sym_gravity for hip { all: symmetric; }

// Integers: exact, modulo 2^n.
kernel sym_integers(a: i32[n], b: i64[n], out s: i32[n], out t: i64[n], out least: i32[n], out near: i64[n]) {
	all: pairs s[i] = sum[j](a[j] - a[i]), t[i] = sum[j where a[i] != a[j]](b[i] * b[j] * (b[i] - b[j])),
		least[i] = min[j where j != i](abs(a[i] - a[j])), near[i] = count[j](abs(a[i] - a[j]) < 3);
}
schedule sym_integers for cuda { all: symmetric; }
schedule sym_integers for hip { all: symmetric; }

// An operator without an identity; all, any, bits; a condition of both.
kernel sym_others(x: f32[n], a: u32[n], out w: f32[n], out every: bool[n], out some: bool[n], out bits: u32[n], out most: f64[n]) {
	wide: pairs w[i] = widest[j](abs(x[i] - x[j]));
	bools: pairs every[i] = all[j](abs(x[i] - x[j]) < 1.5), some[i] = any[j where i != j](x[i] == x[j]);
	words: pairs bits[i] = xored[j](a[i] + a[j]);
	doubles: pairs most[i] = max[j](f64(x[i]) * f64(x[j])) + 2 * f64(x[i]);
}
schedule sym_others for cuda { wide: symmetric; bools: symmetric; words: symmetric; doubles: symmetric; }
schedule sym_others for hip { wide: symmetric; bools: symmetric; words: symmetric; doubles: symmetric; }

// Results that are added to, in a loop; a range that does not begin at 0.
kernel sym_steps(inout x: f32[n], inout v: f32[n]) {
	repeat t < 2 {
		force: pairs v[i] += sum[j in 1..n](x[j] - x[i]) for i in 1..n;
		map x[i] = x[i] + v[i] * 0.001;
	}
}
schedule sym_steps for cuda { force: symmetric; }
schedule sym_steps for hip { force: symmetric; }
// What the proof knows: functions, conditions, conversions, structs, ends of functions.
fn early(d: f32, w: f32) -> f32 {
	let q = d * d;
	if q > 2 { return 0; }
	return -d * w / (q + 1);
}
fn image(d: f32) -> f32 = d - 4 * rint(d / 4);
kernel sym_functions(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f64[n]) {
	odd: pairs a[i] = sum[j](sin(x[j] - x[i]) * cos(x[i] - x[j])), b[i] = sum[j](early(x[i] - x[j], y[j] * y[i]));
	even: pairs c[i] = max[j](hypot(x[i] - x[j], y[j] - y[i]) + image(x[i] - x[j]) * image(x[i] - x[j])),
		d[i] = sum[j](f64(fma(x[i] - x[j], y[i] + y[j], y[i] - y[j])));
}
kernel sym_choices(x: f32[n], k: i32[n], out a: f32[n], out b: i64[n], out c: f32[n]) {
	all: pairs a[i] = sum[j](abs(x[i] - x[j]) < 1 ? x[i] - x[j] : 0), b[i] = count[j](x[i] - x[j] > 1 || x[j] - x[i] > 1),
		c[i] = min[j where (k[i] ^ k[j]) % 2 == 0 && i != j](max(x[j], x[i]) - min(x[i], x[j]));
}
schedule sym_functions for cuda { odd: symmetric; even: symmetric; }
schedule sym_functions for hip { odd: symmetric; even: symmetric; }
schedule sym_choices for cuda { all: symmetric; }
schedule sym_choices for hip { all: symmetric; }
